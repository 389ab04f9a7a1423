"""Three devices, people who do everything at once, killed programs, bad links; then all is counted.

A run has five phases: one device works alone; all work, each in a folder of its own, with stress-ng
beside them; all work on the same names; the same while programs are killed and links are cut, slow
and lose packets; and the end, at which nothing may be missing.
"""

import base64
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time

import links
import programs
import torture_people
import trees

DEVICES = ("ada", "ben", "cleo")
# Without `link`: one file with thousands of names that come and go without a pause keeps a daemon
# busy for minutes, as each name is looked at whenever the file has changed.
STRESSORS = ("rename", "dir", "symlink", "utime", "hdd", "filename", "chmod")
# What stays on its device: it is left out when devices are compared.
IGNORED_ENDINGS = (b"~", b".tmp")


class Torture:
    """One run, from its seed; `seconds` is how long each phase lasts."""

    def __init__(self, seed, folder, seconds, compares_times):
        self.random = random.Random(seed)
        self.seed = seed
        self.seconds = seconds
        self.compares_times = compares_times
        self.folder = folder
        self.cloud = programs.Cloud(folder)
        kind = links.NamespaceLink if links.has_namespaces() else links.Link
        self.kind = kind
        self.links = []
        self.devices = []
        self.ledger = torture_people.Ledger()
        self.acts = self.kills = self.cuts = self.confirmed = 0
        self.story = []
        self.wrong = []

    def run(self):
        """Gives what is wrong, as sentences."""
        try:
            self.begin()
            for phase in (self.one_alone, self.each_apart, self.all_on_one, self.all_with_faults):
                begun = time.monotonic()
                phase()
                worked = time.monotonic() - begun
                self.settle()
                self.tell(f"{phase.__name__}: {worked:.1f} s, then settled in "
                          f"{time.monotonic() - begun - worked:.1f} s")
                if self.wrong:
                    return self.wrong
            self.account_for_all()
        except (programs.Failure, subprocess.SubprocessError) as failure:
            self.wrong.append(str(failure))
        finally:
            for device in self.devices:
                device.kill()
            self.cloud.kill()
            for link in self.links:
                link.close()
        return self.wrong

    def tell(self, sentence):
        self.story.append(sentence)

    def begin(self):
        self.cloud.add_account("anna")
        self.cloud.start()
        for name in DEVICES:
            link = self.kind(self.cloud, f"{self.seed} {name}")
            self.links.append(link)
            device = links.LinkedDevice(self.folder, name, link)
            self.devices.append(device)
            device.join(link)
            device.start()
        for device in self.devices:
            device.wait()

    # The phases.

    def one_alone(self):
        self.work([self.person(self.devices[0], "shared", 0.01)])

    def each_apart(self):
        people = [
            self.person(device, f"of {device.name}", 0.01) for device in self.devices]
        stressed = self.random.choice(self.devices)
        folder = stressed.path("stress")
        os.makedirs(folder, exist_ok=True)
        chosen = self.random.sample(STRESSORS, 3)
        self.tell(f"stress-ng on {stressed.name}: {', '.join(chosen)}")
        with tempfile.TemporaryDirectory() as elsewhere:
            stress = start_stress(folder, chosen, elsewhere)
            try:
                self.work(people)
                if stress.poll() not in (None, 0):
                    raise programs.Failure(f"stress-ng gave {stress.poll()}")
            finally:
                # Killed and not ended, so that what it made stays.
                if stress.poll() is None:
                    os.killpg(stress.pid, signal.SIGKILL)
                stress.wait()

    def all_on_one(self):
        self.work([self.person(device, "shared", 0.03) for device in self.devices])

    def all_with_faults(self):
        self.work(
            [self.person(device, "shared", 0.03) for device in self.devices], self.disturb)

    def person(self, device, folder, pace):
        return torture_people.Person(
            device, folder, self.ledger, f"{self.seed} {device.name} {folder} {pace}", pace)

    def work(self, people, disturb=None):
        for person in people:
            person.start()
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            if disturb:
                disturb()
            else:
                time.sleep(0.05)
        for person in people:
            person.stop()
            self.acts += person.acts
        if disturb:
            self.repair()

    # What goes wrong.

    def disturb(self):
        """One mishap, and for how long."""
        link = self.random.choice(self.links)
        kind = self.random.randrange(6)
        if kind < 2:
            self.kill(self.random.choice(self.devices))
        elif kind == 2:
            self.kill(self.cloud)
        elif kind == 3:
            link.cut()
            self.cuts += 1
        elif kind == 4:
            link.lose(self.random.uniform(0.05, 0.4))
            self.cuts += 1
        else:
            link.delay = self.random.uniform(0.02, 0.3)
            self.cuts += 1
        time.sleep(self.random.uniform(0.05, 0.8))
        if self.random.random() < 0.5:
            link.repair()

    def kill(self, victim):
        # A program that ended by itself before it was killed is a finding of its own.
        if not victim.process.is_running():
            raise programs.Failure(f"ended by itself: {victim.process.printed()[-2000:]}")
        victim.kill()
        self.kills += 1
        time.sleep(self.random.uniform(0, 0.5))
        getattr(victim, "launch", victim.start)()

    def repair(self):
        for link in self.links:
            link.repair()
        for device in self.devices:
            programs.until(device.is_ready, f"{device.name} answers", 30, pause=0.05)

    # When all is quiet.

    def settle(self, seconds=120):
        """Waits until all agree, compares them, and notes that nothing of this can be lost."""
        end = time.monotonic() + seconds
        for device in self.devices + self.devices:
            while not self.is_in_sync(device):
                if time.monotonic() > end:
                    raise programs.Failure(
                        f"{device.name} does not get in sync: {self.what_is_missing(device)}")
        found = [self.tree(device) for device in self.devices]
        for device, other in zip(self.devices[1:], found[1:]):
            self.wrong += [
                f"{self.devices[0].name} and {device.name}: {line}"
                for line in trees.differences(found[0], other)]
        self.look_for_strangers(found[0])
        self.ledger.is_safe(self.tokens_of(self.devices[0], found[0]) | self.in_conflict())

    def what_is_missing(self, device):
        """What `wait` and `why` say, for who looks for the cause."""
        told = device.attempt("wait", "--timeout", "1", "--json").stdout.decode()
        lines = [told]
        for row in json.loads(told).get("missing", [])[:5]:
            path = os.path.join(os.fsencode(device.documents), self.path_of(row, device))
            lines.append(device.attempt("why", path).stdout.decode(errors="replace"))
        return "\n".join(lines)

    def is_in_sync(self, device):
        done = device.attempt("wait", "--timeout", "5")
        if done.returncode == 0:
            return True
        for item in device.json("status")["stuck"]:
            if "confirm" in item["reason"]:
                # The people here meant it.
                device.command("confirm")
                self.confirmed += 1
                break
        return False

    def tree(self, device):
        found = trees.read(os.fsencode(device.documents))
        if not self.compares_times:
            for entry in found.values():
                entry.time = None
        return {path: entry for path, entry in found.items()
                if not path.endswith(IGNORED_ENDINGS)}

    def look_for_strangers(self, tree):
        """A binary file has what was written for its length."""
        for path, entry in sorted(tree.items()):
            if entry.kind != "file" or path.endswith(b".txt") or path.startswith(b"stress/"):
                continue
            token = torture_people.token_of(entry.size)
            if token not in self.ledger.written:
                self.wrong.append(f"{trees.shown(path)}: {entry.size} bytes, which nobody wrote")
            elif entry.digest != self.ledger.digests.get(token, entry.digest):
                self.wrong.append(f"{trees.shown(path)} is not as token {token} was written")

    def tokens_of(self, device, tree):
        tokens = set()
        for path, entry in tree.items():
            if entry.kind == "file" and path.endswith(b".txt"):
                content = programs.read_if_there(device.path(path)) or b""
                tokens |= torture_people.tokens_in(path, content)
            elif entry.kind == "file":
                # A text under another name may have the length of any token.
                token = torture_people.token_of(entry.size)
                if self.ledger.digests.get(token, entry.digest) == entry.digest:
                    tokens.add(token)
        return tokens & self.ledger.written.keys()

    def in_conflict(self):
        """The tokens of all contents that are in conflict, the same on all devices."""
        heads = []
        for device in self.devices:
            rows = device.json("conflicts")["conflicts"]
            heads.append({(self.path_of(row, device), head["version"]): head["size"]
                          for row in rows for head in row["heads"]})
        if any(other != heads[0] for other in heads):
            self.wrong.append(f"conflicts differ: {heads}")
        tokens = set()
        for (path, version), size in heads[0].items():
            tokens |= self.tokens_of_version(path, version, size)
        return tokens & self.ledger.written.keys()

    def path_of(self, row, device):
        """Below the documents; `pathBytes` stands beside what is no text."""
        path = os.fsencode(row["path"])
        if "pathBytes" in row:
            path = base64.b64decode(row["pathBytes"])
        return os.path.relpath(path, os.fsencode(device.documents))

    def tokens_of_version(self, path, version, size):
        device = self.devices[0]
        if not path.endswith(b".txt"):
            token = torture_people.token_of(size)
            if size >= torture_people.STEP:
                return {token}
            content = device.command("cat", device.path(path), "--version", version)
            digest = hashlib.sha256(content).digest()
            return {token} if self.ledger.digests.get(token, digest) == digest else set()
        content = device.command("cat", device.path(path), "--version", version)
        return torture_people.tokens_in(path, content)

    # The account.

    def account_for_all(self):
        """Each token is current, in conflict, an old version, or in the trash."""
        found = self.in_folders() | self.in_conflict() | self.in_versions()
        if self.ledger.unaccounted(found):
            self.restore_all()
            found |= self.in_folders() | self.in_conflict() | self.in_versions()
        self.wrong += self.ledger.unaccounted(found)

    def in_folders(self):
        """The tokens that stand in a folder; what is ignored does so on one device only."""
        tokens = set()
        for device in self.devices:
            tokens |= self.tokens_of(device, trees.read(os.fsencode(device.documents)))
        return tokens

    def in_versions(self):
        """The tokens of all versions of what is there."""
        device = self.devices[0]
        tokens = set()
        for path, entry in sorted(self.tree(device).items()):
            if entry.kind != "file" or path.startswith(b"stress/"):
                continue
            done = device.attempt("versions", device.path(path), "--json")
            if done.returncode != 0:
                self.wrong.append(f"versions of {trees.shown(path)}: {done.stderr.decode()}")
                continue
            for version in json.loads(done.stdout)["versions"]:
                if version.get("deleted") or version.get("expired"):
                    continue
                tokens |= self.tokens_of_version(path, version["version"], version["size"])
        return tokens

    def restore_all(self):
        """What is in the trash comes back, so that its versions can be asked for."""
        device = self.devices[0]
        rows = [row for row in device.json("trash")["items"]
                if not self.path_of(row, device).startswith(b"stress")]
        for row in rows:
            # One may have come back with another, with which it had gone.
            try:
                device.attempt("trash", "restore", row["item"], seconds=60)
            except subprocess.TimeoutExpired:
                why = device.attempt("why", self.path_of(row, device), "--json").stdout
                self.wrong.append(f"{row} does not come back: {why} {device.json('status')}")
                return
        self.tell(f"{len(rows)} items of the trash restored")
        self.settle()


def start_stress(folder, stressors, elsewhere):
    """stress-ng without an end, in a group of processes of its own."""
    arguments = ["stress-ng", "--temp-path", folder, "--timeout", "600", "--hdd-bytes", "4M"]
    for stressor in stressors:
        arguments += [f"--{stressor}", "1"]
    return subprocess.Popen(
        arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True, cwd=elsewhere)


def play(seed, seconds, keep=None, compares_times=True):
    """One run in a folder of its own; gives what is wrong, and the story."""
    folder = tempfile.mkdtemp(prefix="ubiquity-torture-", dir=keep)
    torture = Torture(seed, folder, seconds, compares_times)
    try:
        wrong = torture.run()
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    torture.tell(
        f"{torture.acts} acts, {len(torture.ledger.written)} tokens, {torture.kills} kills, "
        f"{torture.cuts} mishaps of links ({torture.kind.way}), {torture.confirmed} confirmed")
    return wrong, torture.story
