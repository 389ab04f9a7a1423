"""People who write, move and delete at a device as fast as they can, and what they wrote.

A binary file's length tells which text of theirs it is, its token; so it is known what stands under
a name without a look inside, which would count as reading. A file that ends with .txt has lines,
each with a token; who changes one reads it first and adds a line.
"""

import contextlib
import hashlib
import os
import random
import re
import threading
import time

import odd_tree

STEP = 1_000_000
SHORTEST = 64
LINE = re.compile(rb"line (\d+) by [a-z]+\n")
NAMES = [b"a", b"b", b"c.txt", b"d.txt", b"e.md", b"new\nline.md", "caf\u00e9.txt".encode(),
         "cafe\u0301.txt".encode(), b"\xff.txt", b"x" * 255]
FOLDERS = [b"F", b"G", b"H h", b"F/inner", b"G/inner"]


def token_of(size):
    """The token of a binary file's length; None for a length that nobody wrote whole."""
    return size % STEP - SHORTEST if size % STEP > SHORTEST else None


def tokens_in(path, content):
    """The tokens of a content that was read."""
    if path.endswith(b".txt"):
        return {int(number) for number in LINE.findall(content)}
    return {token_of(len(content))} - {None}


class Ledger:
    """What was written by whom, and what its own writer replaced before anybody else had it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.written = {}
        # Of a binary file's token, what its content is.
        self.digests = {}
        self.replaced = {}
        # Tokens that are at the server for sure: they were seen elsewhere, or when all was quiet.
        self.known = set()
        # By device, what its own people left in a file, by inode and time.
        self.files = {}

    def next(self, device, path):
        with self.lock:
            token = len(self.written) + 1
            self.written[token] = (device, path)
            return token

    def left(self, device, state, tokens):
        with self.lock:
            for token in tokens:
                self.replaced.pop(token, None)
            self.files[device, state.st_ino, state.st_mtime_ns] = frozenset(tokens)

    def of(self, device, state):
        with self.lock:
            return self.files.get((device, state.st_ino, state.st_mtime_ns), frozenset())

    def took_out(self, device, state, why, kept=frozenset()):
        """A content has gone, by its device's people; some of its tokens are in a newer one."""
        with self.lock:
            tokens = self.files.get((device, state.st_ino, state.st_mtime_ns), frozenset())
            self.replaced.update(
                (token, why) for token in tokens - kept if self.written[token][0] == device)

    def never_wrote(self, token):
        with self.lock:
            self.replaced[token] = "never written"

    def saw(self, device, tokens):
        with self.lock:
            self.known.update(
                token for token in tokens
                if token in self.written and self.written[token][0] != device)

    def is_safe(self, tokens):
        """All was quiet, and these tokens were there."""
        with self.lock:
            self.known.update(tokens)

    def unaccounted(self, found):
        """A line for each token that is nowhere and has no reason to be."""
        lines = []
        for token, (device, path) in sorted(self.written.items()):
            if token in found or (token in self.replaced and token not in self.known):
                continue
            why = self.replaced.get(token, "nobody of that device replaced it")
            if token in self.known:
                why += "; it had arrived elsewhere"
            lines.append(f"token {token}, written on {device} at {path!r}, is nowhere: {why}")
        return lines


class Person(threading.Thread):
    """Acts below one folder of a device until told to stop."""

    def __init__(self, device, folder, ledger, seed, pace):
        super().__init__(daemon=True)
        self.device = device
        self.name_of_device = device.name
        self.root = os.fsencode(device.path(folder))
        self.ledger = ledger
        self.random = random.Random(seed)
        self.pace = pace
        self.stopped = threading.Event()
        self.acts = 0
        self.fault = None

    def run(self):
        try:
            os.makedirs(self.root, exist_ok=True)
            while not self.stopped.is_set():
                self.act()
                self.acts += 1
                time.sleep(self.random.expovariate(1 / self.pace))
        except Exception as fault:  # Told by who stops the thread.
            self.fault = fault

    def stop(self):
        self.stopped.set()
        self.join()
        if self.fault:
            raise self.fault

    def act(self):
        acts = (
            (self.save_by_rename, 26), (self.save_in_place, 12), (self.save_by_backup, 8),
            (self.append, 6), (self.move, 10), (self.remove, 7), (self.swap, 2),
            (self.make_folder, 6), (self.move_folder, 4), (self.remove_folder, 2),
            (self.make_link, 3), (self.change_mode, 4), (self.change_time, 4),
            (self.link_hard, 1), (self.look, 5))
        act = self.random.choices([act for act, _ in acts], [weight for _, weight in acts])[0]
        # What others did arrives while we act, so that anything may be gone, or of another kind.
        with contextlib.suppress(OSError):
            act()

    # Where.

    def some_folder(self):
        name = self.random.choice([b"", b"", *FOLDERS])
        return os.path.join(self.root, name) if name else self.root

    def some_path(self):
        return os.path.join(self.some_folder(), self.random.choice(NAMES))

    # Saves.

    def save_by_rename(self):
        path = self.some_path()
        self.save(path, lambda *what: self.write_aside(path, *what))

    def save_by_backup(self):
        """The old file becomes NAME~, and a new one is written under the name."""
        path = self.some_path()
        if len(os.path.basename(path)) < 255:
            self.save(path, lambda *what: self.write_behind_backup(path, *what))

    def save_in_place(self):
        path = self.some_path()
        self.save(path, lambda *what: self.overwrite(path, *what))

    def save(self, path, way):
        """A binary file gets a new token; to a text a line is added, once it has been read."""
        if os.path.isdir(path) or not os.path.isdir(os.path.dirname(path)):
            return
        if not path.endswith(b".txt"):
            token = self.next(path)
            self.write(token, {token}, way, self.binary(token))
            return
        try:
            content = self.read(path)
        except FileNotFoundError:
            content = b""
        token = self.next(path)
        lines = content.splitlines(keepends=True)
        lines.insert(self.random.randint(0, len(lines)),
                     b"line %d by %s\n" % (token, self.name_of_device.encode()))
        content = b"".join(lines)
        self.write(token, tokens_in(path, content), way, content)

    def write(self, token, tokens, way, content):
        try:
            self.leave(way(content, tokens), tokens)
        except OSError:
            self.ledger.never_wrote(token)

    def binary(self, token):
        steps = self.random.choice((0, 0, 0, 0, 0, 0, 0, 1, 2))
        head = b"token %d\n" % token
        size = steps * STEP + SHORTEST + token
        content = (head + self.random.randbytes(997) * (size // 997 + 1))[:size]
        self.ledger.digests[token] = hashlib.sha256(content).digest()
        return content

    def next(self, path):
        return self.ledger.next(self.name_of_device, os.path.relpath(path, self.root))

    def leave(self, descriptor, tokens):
        try:
            self.ledger.left(self.name_of_device, os.fstat(descriptor), tokens)
        finally:
            os.close(descriptor)

    def read(self, path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        with open(descriptor, "rb") as file:
            content = file.read()
        if path.endswith(b".txt") or content.startswith(b"token %d\n" % (
                token_of(len(content)) or 0)):
            self.ledger.saw(self.name_of_device, tokens_in(path, content))
        return content

    def create(self, path, content):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        return self.fill(descriptor, content)

    def fill(self, descriptor, content):
        if self.random.random() < 0.1:
            middle = len(content) // 2
            os.write(descriptor, content[:middle])
            time.sleep(self.random.uniform(0, 0.05))
            os.write(descriptor, content[middle:])
        else:
            os.write(descriptor, content)
        return descriptor

    def write_aside(self, path, content, tokens):
        folder = os.path.dirname(path)
        aside = os.path.join(folder, self.random.choice(
            (b".aside%d.tmp", b"aside%d")) % self.random.randrange(10**9))
        descriptor = self.create(aside, content)
        try:
            self.taking_out(path, "saved over", lambda: os.rename(aside, path), tokens)
        except OSError:
            os.close(descriptor)
            with contextlib.suppress(OSError):
                os.unlink(aside)
            raise
        return descriptor

    def write_behind_backup(self, path, content, tokens):
        backup = path + b"~"
        with contextlib.suppress(FileNotFoundError):
            self.taking_out(backup, "was a backup", lambda: os.rename(path, backup))
        return self.create(path, content)

    def overwrite(self, path, content, tokens):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        state = os.fstat(descriptor)
        os.ftruncate(descriptor, 0)
        if state.st_size:
            self.took_out(path, state, "overwritten", tokens)
        return self.fill(descriptor, content)

    def append(self):
        """The file gets a longer token."""
        path = self.some_path()
        if path.endswith(b".txt"):
            return
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
        state = os.fstat(descriptor)
        before = state.st_size
        token = self.next(path)
        after = before - before % STEP + SHORTEST + token
        if after > before:
            os.write(descriptor, b"+" * (after - before))
            self.took_out(path, state, "appended to")
            self.leave(descriptor, {token})
        else:
            os.close(descriptor)
            self.ledger.never_wrote(token)

    # What moves and goes.

    def taking_out(self, path, why, act, kept=frozenset()):
        """Does what takes the file from its name, and looks at what came out, by its inode only."""
        try:
            descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW)
        except FileNotFoundError:
            act()
            return
        try:
            act()
            state = os.fstat(descriptor)
            if state.st_nlink == 0:
                self.took_out(path, state, why, kept)
        finally:
            os.close(descriptor)

    def took_out(self, path, state, why, kept=frozenset()):
        # A text's length tells nothing.
        if not path.endswith(b".txt"):
            self.ledger.saw(self.name_of_device, {token_of(state.st_size)})
        self.ledger.took_out(self.name_of_device, state, why, kept)

    def move(self):
        path, target = self.some_path(), self.some_path()
        # What is in a text is known by its name.
        if path.endswith(b".txt") == target.endswith(b".txt") and not os.path.isdir(path):
            self.taking_out(target, "moved over", lambda: os.rename(path, target))

    def swap(self):
        path, other = self.some_path(), self.some_path()
        aside = os.path.join(
            self.root, b"swap%d%s" % (self.random.randrange(10**9), path[-4:]))
        if path.endswith(b".txt") == other.endswith(b".txt") and not os.path.isdir(path):
            os.rename(path, aside)
            try:
                self.taking_out(path, "moved over", lambda: os.rename(other, path))
            finally:
                self.taking_out(other, "moved over", lambda: os.rename(aside, other))

    def remove(self):
        path = self.some_path()
        self.taking_out(path, "removed", lambda: os.unlink(path))

    def make_folder(self):
        os.makedirs(self.some_folder(), exist_ok=True)
        if self.random.random() < 0.3:
            os.chmod(self.some_folder(), self.random.choice(odd_tree.FOLDER_MODES))

    def move_folder(self):
        path, target = self.some_folder(), self.some_folder()
        if path != self.root and not os.path.lexists(target):
            os.rename(path, target)

    def remove_folder(self):
        """As rm -r does, from the inside out."""
        top = self.some_folder()
        if top == self.root:
            return
        for folder, folders, files in os.walk(top, topdown=False):
            for name in files:
                path = os.path.join(folder, name)
                self.taking_out(path, "removed", lambda path=path: os.unlink(path))
            for name in folders:
                path = os.path.join(folder, name)
                os.unlink(path) if os.path.islink(path) else os.rmdir(path)
        os.rmdir(top)

    def make_link(self):
        path = os.path.join(self.some_folder(), b"link %d" % self.random.randrange(3))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        os.symlink(self.random.choice(odd_tree.TARGETS), path)

    def link_hard(self):
        path, target = self.some_path(), self.some_path()
        if path.endswith(b".txt") == target.endswith(b".txt"):
            os.link(path, target)

    # What is no content.

    def change_mode(self):
        self.change(lambda path: os.chmod(path, self.random.choice(odd_tree.MODES)))

    def change_time(self):
        moment = self.random.choice(odd_tree.TIMES) + self.random.randrange(10**9)
        self.change(lambda path: os.utime(path, ns=(moment, moment)))

    def change(self, act):
        """Changes the very file that is looked at, whatever arrives under its name meanwhile."""
        descriptor = os.open(self.some_path(), os.O_PATH | os.O_NOFOLLOW)
        try:
            tokens = self.ledger.of(self.name_of_device, os.fstat(descriptor))
            act(f"/proc/self/fd/{descriptor}")
            self.ledger.left(self.name_of_device, os.fstat(descriptor), tokens)
        finally:
            os.close(descriptor)

    def look(self):
        self.read(self.some_path())
