/// An item's record may speak of a placeholder, which an older program would take for its content:
/// it is not to open the file any more.
enum Device0005 {
    static var sql: StaticString { "PRAGMA user_version = 5;" }
}
