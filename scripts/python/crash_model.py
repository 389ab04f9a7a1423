"""A file system as a value: what calls did to it, in order, and when each of it was durable.

What is assumed of a file system is said in Docs/Testing.md.
"""

import os

import crash_changes
import crash_trace

EXCHANGE = "RENAME_EXCHANGE"
# The server, and two devices; where the recorder says how far it is comes to `marks`.
HOMES = (b"cloud", b"ada", b"ben")


class Failure(Exception):
    """The trace does not fit to the model: then nothing that follows from it counts."""


class Inode:
    """A file, folder or link; `home` is the first name below the root, of whom it is."""

    __slots__ = ("number", "kind", "home", "target", "mode", "first_mode", "identity", "data",
                 "times", "changes")

    def __init__(self, number, kind, home, mode, target=b""):
        self.number = number
        self.kind = kind
        self.home = home
        self.mode = self.first_mode = mode
        self.target = target
        # Device, inode and birth, as statx said.
        self.identity = None
        self.data = b""
        # The last operation that set each of the two times.
        self.times = None
        self.changes = None


class Op:
    """One change. `undurable` until a call made it durable at that place in the trace."""

    __slots__ = ("place", "kind", "inode", "folders", "names", "other", "offset", "data", "time",
                 "changed", "durable")

    def __init__(self, place, kind, inode, time, folders=(), names=(), other=None, offset=0,
                 data=b""):
        self.place = place
        self.kind = kind
        self.inode = inode
        self.folders = folders
        self.names = names
        self.other = other
        self.offset = offset
        self.data = data
        # What it makes the modification time, and the change time, in nanoseconds.
        self.time = time
        self.changed = time
        self.durable = None

    @property
    def is_of_folder(self):
        return bool(self.folders)


class Recording:
    """All operations below a root, by home, and marks that the recorder has set."""

    def __init__(self, root, log):
        self.root = os.fsencode(root)
        self.below = tuple(os.path.join(self.root, home, b"") for home in HOMES + (b"marks",))
        self.tops = {self.root, *(path[:-1] for path in self.below)}
        self.top = Inode(0, "folder", None, 0o755)
        self.entries = {self.top: {}}
        self.count = 0
        self.ops = []
        # By place in the trace, the name of a mark.
        self.marks = []
        self.open = {}
        self.processes = {}
        for place, call in enumerate(crash_trace.read(log)):
            self.place, self.call = place, call
            action = getattr(self, f"on_{call.name}", None)
            if action is None:
                raise Failure(f"no model for {call.name}")
            action(call, call.values)
        self.places = self.place + 1

    # Who is who.

    def process(self, thread):
        return self.processes.get(thread, thread)

    def on_clone(self, call, _values):
        if "CLONE_THREAD" in call.text:
            self.processes[call.result] = self.process(call.thread)

    on_clone3 = on_fork = on_vfork = on_clone

    def held(self, value):
        """The inode of an open descriptor, or None if it is of nothing below the root."""
        number, path = value
        if not self.is_below(path):
            return None
        entry = self.open.get((self.process(self.call.thread), number))
        if entry is None:
            raise Failure(f"{self.call.name} on unknown descriptor {number} of {path!r}")
        entry.inode = entry.inode or self.at(entry.spot)
        if entry.inode is None:
            raise Failure(f"opened what is not there: {entry.spot[1]!r}")
        return entry

    def is_below(self, path):
        """Logs lie beside the homes, and are of no interest."""
        return path in self.tops or path.startswith(self.below)

    def parent(self, folder, path):
        """(folder, name) of a path; None if it is outside."""
        if not path.startswith(b"/"):
            if folder is None:
                raise Failure(f"{self.call.name}: a path from nowhere: {path!r}")
            number, place = folder
            if number == -1:
                path = os.path.normpath(os.path.join(place, path))
            else:
                entry = self.held(folder)
                if entry is None:
                    return None
                return self.walk(entry.inode, path)
        path = os.path.normpath(path)
        if not self.is_below(path) or path == self.root:
            return (None, b"") if path == self.root else None
        return self.walk(self.top, path[len(self.root) + 1:])

    def walk(self, start, path):
        *folders, name = path.split(b"/")
        for part in folders:
            start = start if part in (b"", b".") else self.entries[start][part]
        if name == b".":
            return None, start
        return start, name

    def at(self, spot):
        folder, name = spot
        if folder is None:
            return name or self.top
        return self.entries[folder].get(name)

    def two(self, values):
        """Folder and path of a call whose first argument is a descriptor."""
        return self.parent(values[0], values[1])

    # Opening, and what a descriptor stands for.

    def opened(self, call, spot, flags):
        inode = self.at(spot)
        if "O_CREAT" in flags and inode is None:
            inode = self.make(spot, "file", int(call.values[-1], 8) & 0o755)
        key = (self.process(call.thread), call.result)
        self.open[key] = Descriptor(inode, "O_APPEND" in flags)
        if inode is None:
            # Who gave it its name is told of a moment later.
            self.open[key].spot = spot
        elif inode.kind == "link" and "O_NOFOLLOW" not in flags:
            raise Failure("a link was followed")
        elif "O_TRUNC" in flags and inode.data:
            self.note("length", inode, offset=0)

    def on_openat(self, call, values):
        path = values[1]
        if path.startswith(b"/proc/") and b"/fd/" in path:
            number = int(path.rsplit(b"/", 1)[1])
            entry = self.open.get((self.process(call.thread), number))
            if entry:
                key = (self.process(call.thread), call.result)
                self.open[key] = Descriptor(entry.inode, False)
            return
        spot = self.two(values)
        if spot is None:
            self.open.pop((self.process(call.thread), call.result), None)
            return
        self.opened(call, spot, call.text)

    def on_openat2(self, call, values):
        self.on_openat(call, values)

    def on_open(self, call, values):
        self.on_openat(call, [(-1, b"/")] + values)

    on_creat = on_open

    def on_lseek(self, call, values):
        entry = self.held(values[0])
        if entry:
            entry.offset = call.result

    # Operations.

    def note(self, kind, inode, **more):
        """Records a change, and makes it."""
        time = int(self.call.time * 1_000_000) * 1000
        op = Op(self.place, kind, inode, time, **more)
        if inode.home is not None:
            self.ops.append(op)
        crash_changes.apply(op, self.entries, crash_changes.LIVE)
        if kind in ("data", "length", "times"):
            inode.times = op
        inode.changes = op
        if op.other is not None:
            op.other.changes = op
        return op

    def make(self, spot, kind, mode, target=b""):
        folder, name = spot
        self.count += 1
        home = name if folder is self.top else folder.home
        inode = Inode(self.count, kind, home, mode, target)
        if folder is self.top:
            if name == b"marks":
                inode.home = None
            self.entries[self.top][name] = inode
            self.entries[inode] = {}
            return inode
        if kind == "folder":
            self.entries[inode] = {}
        self.note("make", inode, folders=(folder,), names=(name,))
        inode.times = inode.changes
        return inode

    def on_write(self, call, values):
        entry = self.held(values[0])
        if entry is None:
            return
        offset = len(entry.inode.data) if entry.appends else entry.offset
        data = b"".join(value for value in values if isinstance(value, bytes))[:call.result]
        entry.offset = offset + call.result
        self.write(entry.inode, offset, data)

    on_writev = on_write

    def on_pwrite64(self, call, values):
        entry = self.held(values[0])
        if entry is None:
            return
        data = b"".join(value for value in values if isinstance(value, bytes))[:call.result]
        self.write(entry.inode, int(values[-1]), data)

    on_pwritev = on_pwrite64

    def write(self, inode, offset, data):
        if data:
            self.note("data", inode, offset=offset, data=data)

    def on_copy_file_range(self, call, values):
        into = self.held(values[2])
        if into is None or call.result == 0:
            return
        source = self.held(values[0])
        start = int(values[1].strip("[]")) if values[1] != "NULL" else source.offset
        # strace shows where the offset stood before.
        data = source.inode.data[start:start + call.result]
        if len(data) != call.result:
            raise Failure("copied more than there was")
        self.write(into.inode, into.offset, data)
        into.offset += call.result

    def unmodelled(self, call, values):
        if any(isinstance(value, tuple) and self.is_below(value[1]) for value in values):
            raise Failure(f"no model for {call.name}")

    def on_fallocate(self, call, values):
        entry = self.held(values[0])
        if entry is None:
            return
        if "PUNCH_HOLE" not in call.text:
            raise Failure("no model for room that is taken")
        offset, count = int(values[-2]), int(values[-1])
        self.write(entry.inode, offset, bytes(min(count, len(entry.inode.data) - offset)))

    on_sendfile = on_splice = on_truncate = on_pwritev2 = unmodelled

    def on_ftruncate(self, _call, values):
        entry = self.held(values[0])
        if entry and len(entry.inode.data) != int(values[1]):
            self.note("length", entry.inode, offset=int(values[1]))

    def on_renameat2(self, call, values):
        one, other = self.two(values), self.parent(values[2], values[3])
        if one is None or other is None:
            if one is not other:
                raise Failure("renamed into or out of the root")
            return
        inode, standing = self.at(one), self.at(other)
        kind = "exchange" if EXCHANGE in call.text else "rename"
        self.note(kind, inode, folders=(one[0], other[0]), names=(one[1], other[1]),
                  other=standing)

    on_renameat = on_renameat2

    def on_rename(self, call, values):
        here = (-1, b"/")
        self.on_renameat2(call, [here, self.absolute(values[0]), here, self.absolute(values[1])])

    def absolute(self, path):
        if not path.startswith(b"/"):
            raise Failure(f"a relative path: {path!r}")
        return path

    def on_linkat(self, _call, values):
        one, other = self.two(values), self.parent(values[2], values[3])
        if other is not None:
            self.note("make", self.at(one), folders=(other[0],), names=(other[1],))

    def on_link(self, call, values):
        here = (-1, b"/")
        self.on_linkat(call, [here, values[0], here, values[1]])

    def on_unlinkat(self, _call, values):
        spot = self.two(values)
        # The socket of a home is made by another call, and is nothing to recover.
        if spot is not None and (self.at(spot) or spot[1] != b"socket"):
            self.note("remove", self.at(spot), folders=(spot[0],), names=(spot[1],))

    def on_unlink(self, call, values):
        self.on_unlinkat(call, [(-1, b"/"), self.absolute(values[0])])

    on_rmdir = on_unlink

    def on_symlinkat(self, _call, values):
        spot = self.parent(values[1], values[2])
        if spot is not None:
            self.make(spot, "link", 0o777, values[0])

    def on_symlink(self, call, values):
        self.on_symlinkat(call, [values[0], (-1, b"/"), self.absolute(values[1])])

    def on_mkdirat(self, _call, values):
        spot = self.two(values)
        if spot is None or spot[0] is None:
            return
        folder, name = spot
        if folder.home is None and folder is not self.top:
            self.marks.append((self.place, name))
            return
        mode = int(values[2], 8) & ~0o022
        self.make(spot, "folder", mode)

    def on_mkdir(self, call, values):
        self.on_mkdirat(call, [(-1, b"/"), self.absolute(values[0]), values[1]])

    def on_fchmod(self, _call, values):
        entry = self.held(values[0])
        if entry:
            self.note("mode", entry.inode, offset=int(values[1], 8) & 0o777)

    def on_fchmodat(self, call, values):
        path = values[1]
        if path.startswith(b"/proc/") and b"/fd/" in path:
            entry = self.open.get((self.process(call.thread), int(path.rsplit(b"/", 1)[1])))
            inode = entry and entry.inode
        else:
            spot = self.two(values)
            inode = spot and self.at(spot)
        if inode:
            self.note("mode", inode, offset=int(values[2], 8) & 0o777)

    def on_chmod(self, call, values):
        self.on_fchmodat(call, [(-1, b"/"), self.absolute(values[0]), values[1]])

    def on_utimensat(self, call, values):
        spot = self.two(values) if isinstance(values[1], bytes) else None
        if isinstance(values[1], bytes) and spot is None:
            return
        inode = self.at(spot) if spot else self.held(values[0]).inode
        last = call.text.rsplit("{tv_sec=", 1)[1]
        seconds, nanoseconds = last.split(", tv_nsec=")
        time = int(seconds) * 1_000_000_000 + int(nanoseconds.split("}")[0])
        op = self.note("times", inode)
        op.time = time

    def on_statx(self, call, values):
        """What was true of an inode then, which no other call tells."""
        if isinstance(values[1], bytes) and values[1]:
            spot = self.two(values)
        elif values[0][0] >= 0:
            entry = self.held(values[0])
            spot = entry and (None, entry.inode)
        else:
            spot = None
        if spot is None:
            return
        inode = self.at(spot)
        if inode is None or inode is self.top:
            return
        found = call.stat()
        device = (int(found["stx_dev_major"], 0), int(found["stx_dev_minor"], 0))
        inode.identity = (device, int(found["stx_ino"]), found["stx_btime"])
        if inode.changes:
            inode.changes.changed = nanoseconds_of(found["stx_ctime"])
        if inode.times:
            inode.times.time = nanoseconds_of(found["stx_mtime"])

    # Durability.

    def on_fsync(self, _call, values):
        entry = self.held(values[0])
        if entry:
            self.made_durable(
                lambda op: entry.inode in (op.folders if op.is_of_folder else (op.inode,)))

    on_fdatasync = on_fsync

    def on_syncfs(self, _call, values):
        entry = self.held(values[0])
        if entry:
            self.made_durable(lambda op: True)

    def on_sync(self, _call, _values):
        self.made_durable(lambda op: True)

    def made_durable(self, concerns):
        """With a change of a name all that the same names went through before."""
        home = None if self.call.name == "sync" else self.held(self.call.values[0]).inode.home
        names = set()
        for op in reversed(self.ops):
            if op.durable is not None or home not in (None, op.inode.home):
                continue
            places = set(zip(op.folders, op.names))
            if concerns(op) or places & names:
                op.durable = self.place
                names |= places


class Descriptor:
    """An open file: where it stands."""

    def __init__(self, inode, appends):
        self.inode = inode
        self.appends = appends
        self.spot = None
        self.offset = 0


def nanoseconds_of(pair):
    return pair[0] * 1_000_000_000 + pair[1]
