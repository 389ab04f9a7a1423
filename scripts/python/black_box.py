"""Random people at three devices, real processes, and what may be seen of them from outside."""

import json
import os
import random
import shutil
import tempfile
import time

import programs
from black_box_oracle import Oracle, text, token_of

DEVICES = ("ada", "ben", "cleo")
FOLDERS = ("", "F", "G")
NAMES = ("a", "b", "c")
KEYS = ("colour", "size")


class Run:
    """One schedule, from its seed."""

    def __init__(self, seed, folder, steps):
        self.random = random.Random(seed)
        self.steps = steps
        self.cloud = programs.Cloud(folder)
        self.devices = {name: programs.Device(folder, name) for name in DEVICES}
        self.oracle = Oracle(DEVICES)
        self.values = 0
        # Devices whose daemon found an empty folder when it started: it waits for a word.
        self.emptied = set()
        self.story = []
        self.wrong = []

    def tell(self, sentence):
        self.story.append(sentence)

    def play(self):
        """Gives what could not be explained, as sentences."""
        try:
            self.cloud.add_account("anna")
            self.cloud.start()
            for device in self.devices.values():
                device.join(self.cloud)
                device.start()
            for _ in range(self.steps):
                self.act()
                if self.wrong:
                    return self.wrong
            self.settle()
            self.look_into_the_trash()
        except programs.Failure as failure:
            self.wrong.append(str(failure))
        finally:
            for device in self.devices.values():
                device.kill()
            self.cloud.kill()
        return self.wrong

    # What happens.

    def act(self):
        acts = (
            (self.write, 30), (self.write_after_reading, 20), (self.read, 12), (self.remove, 8),
            (self.move, 10), (self.make_folder, 5), (self.move_folder, 3), (self.remove_folder, 3),
            (self.set_value, 6), (self.settle_conflict, 4), (self.restart_device, 3),
            (self.restart_cloud, 1), (self.settle, 5))
        act = self.random.choices([act for act, _ in acts], [weight for _, weight in acts])[0]
        act()
        time.sleep(self.random.choice((0, 0, 0.003, 0.02, 0.2)))

    def somebody(self):
        return self.devices[self.random.choice(DEVICES)]

    def some_path(self):
        return os.path.join(self.random.choice(FOLDERS), self.random.choice(NAMES))

    def write(self):
        self.save(self.somebody(), self.some_path())

    def write_after_reading(self):
        device, path = self.somebody(), self.some_path()
        self.read_at(device, path)
        self.save(device, path)

    def save(self, device, path):
        target = device.path(path)
        if not os.path.isdir(os.path.dirname(target)) or os.path.isdir(target):
            return
        token = self.oracle.next_token()
        save = self.random.choice((self.save_by_rename, self.save_in_place))
        try:
            replaced = save(target, token)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            # What others did with the folder has arrived meanwhile.
            self.tell(f"{device.name} cannot save at {path}")
            return
        self.tell(f"{device.name} saves {token} at {path} over {replaced}")
        self.oracle.wrote(device.name, path, token, replaced)

    def save_by_rename(self, target, token):
        folder, name = os.path.split(target)
        temporary = os.path.join(folder, f".{name}.tmp")
        programs.write_durably(temporary, text(token))
        return self.taking_out(target, lambda: os.rename(temporary, target))

    def save_in_place(self, target, token):
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT, 0o644)
        try:
            replaced = token_of(os.fstat(descriptor).st_size)
            os.ftruncate(descriptor, 0)
            os.write(descriptor, text(token))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return replaced

    def taking_out(self, target, act):
        """The token of the file that the act took from its name, looked at and not read."""
        try:
            descriptor = os.open(target, os.O_PATH | os.O_NOFOLLOW)
        except FileNotFoundError:
            act()
            return None
        try:
            act()
            state = os.fstat(descriptor)
            return token_of(state.st_size) if state.st_nlink == 0 else None
        finally:
            os.close(descriptor)

    def read(self):
        self.read_at(self.somebody(), self.some_path())

    def read_at(self, device, path):
        try:
            content = programs.read_if_there(device.path(path))
        except (IsADirectoryError, NotADirectoryError):
            return
        if content is None:
            return
        token = token_of(len(content))
        if token is None or content != text(token):
            self.wrong.append(f"{device.name} reads at {path}: {content[:80]!r}")
            return
        self.tell(f"{device.name} reads {token} at {path}")
        self.oracle.read(device.name, token)

    def remove(self):
        self.remove_at(self.somebody(), self.some_path())

    def remove_at(self, device, path):
        target = device.path(path)
        try:
            token = self.taking_out(target, lambda: os.unlink(target))
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return
        self.tell(f"{device.name} removes {token} at {path}")
        self.oracle.removed(device.name, path, token)

    def move(self):
        device, path, target = self.somebody(), self.some_path(), self.some_path()
        source, place = device.path(path), device.path(target)
        if path == target or os.path.isdir(source) or os.path.isdir(place):
            return
        try:
            replaced = self.taking_out(place, lambda: os.rename(source, place))
            token = token_of(os.lstat(place).st_size)
        except (FileNotFoundError, NotADirectoryError):
            return
        self.tell(f"{device.name} moves {token} from {path} to {target} over {replaced}")
        self.oracle.moved(device.name, path, target, token, replaced)

    def make_folder(self):
        device, name = self.somebody(), self.random.choice(FOLDERS[1:])
        try:
            os.mkdir(device.path(name))
        except FileExistsError:
            return
        self.tell(f"{device.name} makes the folder {name}")

    def move_folder(self):
        device = self.somebody()
        name, target = self.random.sample(FOLDERS[1:], 2)
        if os.path.lexists(device.path(target)):
            return
        try:
            os.rename(device.path(name), device.path(target))
        except FileNotFoundError:
            return
        self.tell(f"{device.name} moves the folder {name} to {target}")
        for file in NAMES:
            self.oracle.moved(
                device.name, os.path.join(name, file), os.path.join(target, file), None, None)

    def remove_folder(self):
        device, name = self.somebody(), self.random.choice(FOLDERS[1:])
        if not os.path.isdir(device.path(name)):
            return
        self.tell(f"{device.name} removes the folder {name}")
        for file in sorted(os.listdir(device.path(name))):
            self.remove_at(device, os.path.join(name, file))
        try:
            os.rmdir(device.path(name))
        except OSError:
            self.tell(f"{name} is not empty any more")

    def set_value(self):
        device, key = self.somebody(), self.random.choice(KEYS)
        self.values += 1
        value = f"value {self.values}"
        device.command("kv", "set", key, value)
        self.tell(f"{device.name} sets {key} to {value}")
        self.oracle.set_value(device.name, key, value)

    def settle_conflict(self):
        """With nothing on its way: which heads there were when it chose cannot be seen."""
        device = self.somebody()
        self.agree()
        found = device.json("conflicts")["conflicts"]
        if not found:
            return
        conflict = self.random.choice(found)
        kept = self.random.choice(conflict["heads"])
        done = device.attempt("resolve", conflict["path"], "--keep", kept["version"])
        path = os.path.relpath(conflict["path"], device.documents)
        heads = [token_of(head["size"]) for head in conflict["heads"]]
        self.tell(f"{device.name} settles {path} for {token_of(kept['size'])} of {heads}: "
                  f"{done.returncode}")
        self.oracle.settled(
            device.name, path, token_of(kept["size"]),
            [token for token in heads if token != token_of(kept["size"])])

    def restart_device(self):
        device = self.somebody()
        device.kill()
        tokens = {token_of(size) for size in self.tree(device).values() if size is not None}
        self.tell(f"the daemon of {device.name} is killed, with {sorted(tokens)} on the disk")
        self.oracle.restarted(device.name, tokens)
        if not self.tree(device):
            self.emptied.add(device)
        time.sleep(self.random.choice((0, 0.1)))
        device.start()

    def restart_cloud(self):
        self.cloud.kill()
        self.tell("the server is killed")
        time.sleep(self.random.choice((0, 0.3)))
        self.cloud.start()

    # When all is quiet.

    def agree(self):
        for device in self.emptied:
            if device.json("status")["state"] == "unavailable":
                device.command("confirm")
                self.tell(f"{device.name} confirms that its folder is empty")
        self.emptied.clear()
        programs.settle(list(self.devices.values()))

    def settle(self):
        self.agree()
        trees = {name: self.tree(device) for name, device in self.devices.items()}
        conflicts = {name: self.conflicts(device) for name, device in self.devices.items()}
        values = {name: self.read_values(device) for name, device in self.devices.items()}
        self.tell(f"all agree on {trees[DEVICES[0]]}, in conflict {conflicts[DEVICES[0]]}")
        for what in (trees, conflicts, values):
            for name in DEVICES[1:]:
                if what[name] != what[DEVICES[0]]:
                    self.wrong.append(
                        f"{DEVICES[0]} has {what[DEVICES[0]]}, {name} has {what[name]}")
        if not self.wrong:
            first = DEVICES[0]
            self.wrong += self.oracle.judge(trees[first], conflicts[first], values[first])
        if self.wrong:
            self.tell_histories(sorted(trees[DEVICES[0]]))

    def look_into_the_trash(self):
        """What is said to be in the trash comes back from there, in the end."""
        if not self.oracle.in_trash or self.wrong:
            return
        device = self.devices[DEVICES[0]]
        for row in device.json("trash")["items"]:
            # One may have come back with another, with which it had gone.
            device.attempt("trash", "restore", row["item"])
        self.agree()
        found = set()
        for path in self.tree(device):
            done = device.attempt("versions", device.path(path), "--json")
            versions = json.loads(done.stdout)["versions"] if done.returncode == 0 else []
            found |= {token_of(version["size"] or 0) for version in versions}
        self.wrong += [f"token {token} is not in the trash: {self.oracle.gone[token]}"
                       for token in sorted(self.oracle.in_trash - found)]

    def tell_histories(self, paths):
        device = self.devices[DEVICES[0]]
        for path in paths:
            done = device.attempt("versions", device.path(path), "--json")
            if done.returncode != 0:
                continue
            versions = [
                f"{token_of(version['size'])} by {version['device']} {version['version'][:6]}"
                for version in json.loads(done.stdout)["versions"]]
            self.tell(f"versions of {path}: {', '.join(versions)}")

    def tree(self, device):
        """Each path with its length; None for a folder."""
        found = {}
        for folder, folders, files in os.walk(device.documents):
            inner = os.path.relpath(folder, device.documents)
            for name in folders:
                found[os.path.normpath(os.path.join(inner, name))] = None
            # What a save that failed has left.
            for name in (name for name in files if not name.endswith(".tmp")):
                place = os.path.join(folder, name)
                try:
                    size = os.lstat(place).st_size
                except FileNotFoundError:
                    continue
                found[os.path.normpath(os.path.join(inner, name))] = size
        return found

    def conflicts(self, device):
        return {
            os.path.relpath(conflict["path"], device.documents):
                sorted(head["size"] for head in conflict["heads"])
            for conflict in device.json("conflicts")["conflicts"]}

    def read_values(self, device):
        values = {}
        for key in KEYS:
            done = device.attempt("kv", "get", key)
            values[key] = done.stdout.decode().rstrip("\n") if done.returncode == 0 else None
        return values


def play(seed, steps, keep=None):
    """Plays a schedule in a folder of its own; gives what could not be explained, and the story."""
    folder = tempfile.mkdtemp(prefix="ubiquity-black-box-", dir=keep)
    run = Run(seed, folder, steps)
    try:
        wrong = run.play()
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    return wrong, run.story
