"""What a power cut may have left of a home: which of the changes that were not durable arrived.

What is assumed of a file system is said in Docs/Testing.md.
"""

import bisect
import hashlib
import os
import random
import sqlite3
import tempfile

import crash_changes
import crash_model

BLOCK = 4096
RANDOM_STATES = 2


class State:
    """A home: names, contents and times as they are found after the cut."""

    def __init__(self, before=None):
        self.entries = {}
        self.contents = {}
        self.modes = {}
        self.times = {}
        self.changes = {}
        if before:
            self.entries = {folder: dict(names) for folder, names in before.entries.items()}
            self.contents = dict(before.contents)
            self.modes = dict(before.modes)
            self.times = dict(before.times)
            self.changes = dict(before.changes)

    # What `apply` asks for.

    def change(self, op):
        """Contents are put together only where somebody asks for them."""
        content, changes = self.contents.get(op.inode, (b"", ()))
        self.contents[op.inode] = (content, changes + (op,))
        self.times[op.inode] = self.changes[op.inode] = op

    def data(self, inode):
        content, changes = self.contents.get(inode, (b"", ()))
        for op in changes:
            content = crash_changes.changed(content, op)
        return content

    def digest_of(self, inode):
        key = self.contents.get(inode, (b"", ()))
        if key not in DIGESTS:
            DIGESTS[key] = hash(self.data(inode))
        return DIGESTS[key]

    def settle(self, inode):
        self.contents[inode] = (self.data(inode), ())

    def set_mode(self, inode, mode, op):
        self.modes[inode] = mode
        self.changes[inode] = op

    def touch(self, inode, op):
        if op.kind in ("times", "make"):
            self.times.setdefault(inode, op)
            if op.kind == "times":
                self.times[inode] = op
        self.changes[inode] = op

    def apply(self, op):
        crash_changes.apply(op, self.entries, self)

    def walk(self, home):
        """Path, inode of all that can be reached, folders before what is in them."""
        pending = [(b"", home)]
        while pending:
            path, folder = pending.pop()
            for name, inode in sorted(self.entries.get(folder, {}).items()):
                if name.endswith(b"-shm"):
                    continue
                below = os.path.join(path, name)
                yield below, inode
                if inode.kind == "folder":
                    pending.append((below, inode))

    def mode(self, inode):
        return self.modes.get(inode, inode.first_mode)

    def digest(self, home):
        """The same for states that nobody can tell apart."""
        seen = []
        for path, inode in self.walk(home):
            time = self.times.get(inode)
            seen.append((path, inode.kind, inode.number, self.mode(inode), time and time.time,
                         self.digest_of(inode)))
        return hash(tuple(seen))

    def meaning(self, home):
        """The same for states that differ only in what SQLite passes over."""
        seen = []
        for path, inode in self.walk(home):
            if path.startswith(b".ubiquity/state.db") or path.startswith(b"server.db"):
                continue
            time = self.times.get(inode)
            seen.append((path, inode.kind, inode.number, self.mode(inode), time and time.time,
                         self.digest_of(inode)))
        return hash((tuple(seen), self.database(home)))

    def database(self, home):
        found = {path: inode for path, inode in self.walk(home)
                 if path.startswith(b".ubiquity/state.db")}
        files = [found.get(path) for path in (b".ubiquity/state.db", b".ubiquity/state.db-wal")]
        pair = tuple(file and self.digest_of(file) for file in files)
        if pair not in MEANINGS:
            MEANINGS[pair] = meaning_of(*(file and self.data(file) for file in files))
        return MEANINGS[pair]


DIGESTS = {}
MEANINGS = {}


def meaning_of(database, log):
    """A digest of all that SQLite finds, or what it says."""
    if database is None:
        return "none"
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = os.path.join(folder, "state.db")
        for name, data in ((path, database), (path + "-wal", log)):
            if data is not None:
                with open(name, "wb") as file:
                    file.write(data)
        connection = sqlite3.connect(path)
        connection.text_factory = bytes
        try:
            digest = hashlib.sha256()
            tables = connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
            for (table,) in tables:
                rows = connection.execute(f'SELECT * FROM "{table.decode()}"').fetchall()
                digest.update(repr((table, sorted(map(repr, rows)))).encode())
            version = connection.execute("PRAGMA user_version").fetchone()
            return digest.hexdigest() + repr(version)
        except sqlite3.Error as error:
            return f"{error}"
        finally:
            connection.close()


class Cuts:
    """All states of one home that a power cut may leave, one place of the trace after the other."""

    def __init__(self, recording, home, first, window):
        self.home = recording.entries[recording.top][home]
        self.ops = [op for op in recording.ops if op.inode.home == home]
        self.first = first
        # The places from which on what is older than the mark before the last is durable.
        self.window = window
        # When anything became durable, here or at the server.
        self.events = sorted({op.durable for op in recording.ops
                              if op.durable is not None and op.inode.home in (home, b"cloud")})
        self.base = State()
        self.done = 0

    def all(self):
        """(name, place, state) of each; the place is the last of which the others know."""
        for index, op in enumerate(self.ops):
            if op.place < self.first:
                continue
            before = self.ops[index - 1].place if index else 0
            # As soon as the one before returned, and as late as before the next: what was made
            # durable in between, and what the others did, makes the difference.
            yield from self.at(index, before, op)
            if self.differ(before, op.place - 1):
                yield from self.at(index, op.place - 1, op)

    def durable(self, op, place):
        return (op.durable is not None and op.durable <= place) or op.place < self.written_back(
            place)

    def written_back(self, place):
        older = [mark for mark in self.window if mark <= place]
        return older[-3] if len(older) > 2 else self.first

    def differ(self, place, later):
        return bisect.bisect(self.events, place) != bisect.bisect(self.events, later)

    def at(self, count, place, following):
        ops = self.ops[:count]
        while self.done < count and self.durable(ops[self.done], place):
            self.base.apply(ops[self.done])
            if ops[self.done].inode in self.base.contents:
                self.base.settle(ops[self.done].inode)
            self.done += 1
        rest = ops[self.done:]
        loose = [op for op in rest if not self.durable(op, place)]
        yield "all", place, self.made(rest)
        if not loose:
            return
        yield "none", place, self.made(rest, without=set(loose))
        data = {op for op in loose if op.kind in ("data", "length")}
        names = {op for op in loose if op.is_of_folder}
        if data and names:
            yield "names without data", place, self.made(rest, without=data)
            yield "data without names", place, self.made(rest, without=names)
        if data:
            yield "zeros", place, self.made(rest, zeros=data)
            yield "zeros in files that were synced never", place, self.made(
                rest, zeros={op for op in data if op.inode not in self.synced(ops, place)})
        newest = max(loose, key=lambda op: op.place)
        for op in self.singled_out(loose, following):
            yield f"all but {op.kind}", place, self.made(rest, without={op})
            yield f"only {op.kind}", place, self.made(rest, without=set(loose) - {op})
            if op.is_of_folder:
                # A journal: all names up to there, in order.
                later = {other for other in names if other.place > op.place}
                yield f"names up to {op.kind}", place, self.made(rest, without=later)
                yield f"names up to {op.kind}, no data", place, self.made(
                    rest, without=later | data)
            if op.kind == "data":
                yield "torn", place, self.made(rest, torn={op})
                yield "zeros in one", place, self.made(rest, zeros={op})
        chance = random.Random(f"{place} {newest.place}")
        for _ in range(RANDOM_STATES):
            lost = {op for op in loose if chance.random() < 0.5}
            torn = {op for op in loose if op.kind == "data" and chance.random() < 0.3}
            yield "by chance", place, self.made(rest, without=lost, torn=torn - lost)

    def singled_out(self, loose, following):
        """Those of which each is looked at for itself.

        A transaction in SQLite's log is none before its last write, so that its writes are looked
        at when all are there.
        """
        return [op for op in loose if op.is_of_folder or op.inode is not following.inode
                or following.kind != "data"]

    def synced(self, ops, place):
        return {op.inode for op in ops
                if not op.is_of_folder and op.durable is not None and op.durable <= place}

    def made(self, ops, without=frozenset(), zeros=frozenset(), torn=frozenset()):
        state = State(self.base)
        for op in ops:
            if op in without:
                continue
            if op in zeros or op in torn:
                state.apply(damaged(op, op in torn))
            else:
                state.apply(op)
        return state


def damaged(op, is_torn):
    """A write of which the length arrived, and of the bytes none or the first."""
    if (op, is_torn) not in DAMAGED:
        kept = 0
        if is_torn:
            kept = len(op.data) // 2
            if kept > BLOCK:
                kept -= (op.offset + kept) % BLOCK
        copy = crash_model.Op(
            op.place, op.kind, op.inode, op.time, offset=op.offset,
            data=op.data[:kept] + bytes(len(op.data) - kept))
        copy.changed = op.changed
        DAMAGED[op, is_torn] = copy
    return DAMAGED[op, is_torn]


DAMAGED = {}
