// SQLite, from Debian's libsqlite3-dev, and what of it Swift cannot reach by itself.
#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import: SQLite
// copies the bytes before the call returns.
static inline int csqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic, which Swift cannot call. A file that somebody prepared must not be
// able to run functions from its schema or to write to its own internals.
static inline int csqlite_harden(sqlite3 *database) {
    int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (result != SQLITE_OK) return result;
    return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}
