"""A moment of the recording put back on disk, and the real programs started on it."""

import ctypes
import os
import subprocess

import crash_model
import crash_states
import programs

NEW_MOUNTS, NEW_USERS, NEW_NETWORK = 0x20000, 0x10000000, 0x40000000


def seclude():
    """Mounts and a network of this process's own: each has the recording's path and port."""
    library = ctypes.CDLL(None, use_errno=True)
    flags = NEW_MOUNTS | NEW_NETWORK
    user, group = os.getuid(), os.getgid()
    if user != 0:
        flags |= NEW_USERS
    if library.unshare(flags) != 0:
        raise crash_model.Failure("this machine gives no namespaces")
    if user != 0:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"),
                           ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    programs.run(["mount", "--make-rprivate", "/"])
    programs.run(["ip", "link", "set", "lo", "up"])


def build_identities(folder):
    """The library that gives files their identities; its path."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "crash_identities.c")
    library = os.path.join(folder, "identities.so")
    programs.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source])
    return library


class Replay:
    """The homes of the server and of the device that kept its power, moment by moment."""

    def __init__(self, recording, folder, port, library):
        self.recording = recording
        self.root = os.path.join(folder, "live")
        self.identities = os.path.join(self.root, "identities")
        self.port = port
        self.library = library
        self.others = [op for op in recording.ops if op.inode.home != b"ben"]
        self.state = crash_states.State()
        self.done = 0
        self.is_mounted = False

    def put_back(self, place, cut):
        """All homes, one as it is after the cut; places only go up."""
        if self.is_mounted:
            programs.run(["umount", self.root])
        programs.run(["mount", "-t", "tmpfs", "tmpfs", self.root])
        self.is_mounted = True
        while self.done < len(self.others) and self.others[self.done].place <= place:
            self.state.apply(self.others[self.done])
            self.done += 1
        lines = []
        for home in crash_model.HOMES:
            path = os.path.join(os.fsencode(self.root), home)
            os.mkdir(path, 0o755)
            self.write(self.recording.entries[self.recording.top][home], path,
                       cut if home == b"ben" else self.state, lines)
        device = os.lstat(self.root).st_dev
        with open(self.identities, "w", encoding="ascii") as file:
            file.write(f"{os.major(device)} {os.minor(device)} {self.device(place)}\n")
            file.writelines(lines)

    def device(self, place):
        """The file system's number; a machine that starts again may give it another."""
        for inode in self.recording.entries[self.recording.top].values():
            for folder in self.recording.entries[inode].values():
                if folder.identity:
                    major, minor = folder.identity[0]
                    return f"{major} {minor + place % 2}"
        raise crash_model.Failure("nobody looked at anything")

    def write(self, home, path, state, lines):
        there = {}
        for name, inode in state.walk(home):
            place = os.path.join(path, name)
            if inode in there:
                os.link(there[inode], place)
                continue
            there[inode] = place
            if inode.kind == "folder":
                os.mkdir(place)
            elif inode.kind == "link":
                os.symlink(inode.target, place)
            else:
                with open(place, "wb") as file:
                    file.write(state.data(inode))
        for inode, place in reversed(there.items()):
            if inode.kind != "link":
                os.chmod(place, state.mode(inode))
            time = state.times.get(inode)
            if time and inode.kind != "folder":
                os.utime(place, ns=(time.time, time.time), follow_symlinks=False)
        for inode, place in there.items():
            if inode.identity:
                lines.append(self.line(inode, os.lstat(place), state.changes.get(inode)))

    def line(self, inode, status, changed):
        _, number, birth = inode.identity
        change = changed.changed if changed else status.st_ctime_ns
        return (f"{status.st_ino} {number} {birth[0]} {birth[1]} {change // 10**9} "
                f"{change % 10**9} {status.st_ctime_ns // 10**9} {status.st_ctime_ns % 10**9}\n")

    def cloud(self):
        cloud = programs.Cloud(self.root)
        cloud.port = self.port
        return cloud

    def devices(self):
        return [SeenDevice(self.root, name, self) for name in ("ada", "ben")]


class SeenDevice(programs.Device):
    """A device whose daemon finds its files with the identities that they had."""

    def __init__(self, folder, name, replay):
        super().__init__(folder, name)
        self.replay = replay

    def launch(self):
        self.process = programs.Process(
            [self.program, "device", "run"], self.log, self.environment({
                "LD_PRELOAD": self.replay.library, "CRASH_IDENTITIES": self.replay.identities}))

    def attempt(self, *arguments, environment=None, seconds=60):
        return subprocess.run(
            [self.program, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
            env=self.environment(environment), timeout=seconds, check=False)
