"""Folders as values, to compare: each entry with all that is synced of it."""

import hashlib
import os
import stat


class Entry:
    """One name in a tree: what it is, and all of it that crosses."""

    def __init__(self, path):
        status = os.lstat(path)
        self.mode = stat.S_IMODE(status.st_mode) & 0o777
        self.time = status.st_mtime_ns
        self.target = None
        self.digest = None
        self.size = None
        if stat.S_ISREG(status.st_mode):
            self.kind = "file"
            self.size = status.st_size
            self.digest = digest_of_file(path)
        elif stat.S_ISLNK(status.st_mode):
            self.kind = "link"
            self.target = os.readlink(path)
        elif stat.S_ISDIR(status.st_mode):
            self.kind = "folder"
        else:
            self.kind = "special"

    def differences(self, other):
        """What differs, as short texts: ours, then theirs."""
        if self.kind != other.kind:
            return [f"kind {self.kind} and {other.kind}"]
        found = []
        if self.digest != other.digest:
            found.append(f"content ({self.size} and {other.size} bytes)")
        if self.target != other.target:
            found.append(f"target {self.target!r} and {other.target!r}")
        if self.kind != "link" and self.mode != other.mode:
            found.append(f"mode {self.mode:04o} and {other.mode:04o}")
        if self.kind != "folder" and self.time != other.time:
            found.append(f"time {self.time} and {other.time}")
        return found


def digest_of_file(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def read(folder):
    """All entries below a folder, by their path as bytes."""
    entries = {}
    pending = [b""]
    while pending:
        parent = pending.pop()
        for name in os.listdir(os.path.join(folder, parent)):
            path = os.path.join(parent, name)
            entries[path] = Entry(os.path.join(folder, path))
            if entries[path].kind == "folder":
                pending.append(path)
    return entries


def differences(one, other):
    """One line for each path that is not the same in both."""
    lines = []
    for path in sorted(one.keys() | other.keys()):
        if path not in other:
            lines.append(f"{shown(path)}: only in the first")
        elif path not in one:
            lines.append(f"{shown(path)}: only in the second")
        else:
            found = one[path].differences(other[path])
            if found:
                lines.append(f"{shown(path)}: {', '.join(found)}")
    return lines


def shown(path):
    """A path for people: what is no printable text is escaped."""
    text = path.decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
