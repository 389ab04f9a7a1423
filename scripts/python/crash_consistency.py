"""Every state that a power cut may leave is put back, the real programs are started on it, and it
is looked at what became of all that had been durable.
"""

import bisect
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

import crash_model
import crash_replay
import crash_states
import crash_trace
import programs
import trees

CUT = b"ben"
# What stays on its device.
IGNORED = (b"~", b".tmp")
LINE = re.compile(rb"(line \d|changed by \w+)\n")


def is_ignored(path):
    return any(part.endswith(IGNORED) for part in path.split(b"/"))


class Story:
    """A recording with what people wrote in it."""

    def __init__(self, folder):
        self.folder = folder
        self.recording = crash_model.Recording(
            os.path.join(folder, "live"), os.path.join(folder, "trace"))
        with open(os.path.join(folder, "people.json"), encoding="utf-8") as file:
            told = json.load(file)
        self.port = told["port"]
        self.written = {int(size): place for size, place in told["written"].items()}
        self.begun, self.durable, self.steps = {}, {}, []
        for place, name in self.recording.marks:
            kind, what = name.decode().split(" ", 2)[1:] if b" " in name[5:] else ("end", "")
            if kind == "begun":
                self.begun[int(what)] = place
            elif kind in ("durable", "acknowledged"):
                self.durable[int(what)] = place
            elif kind == "step":
                self.steps.append((place, what))

    def step(self, place):
        at = bisect.bisect([place for place, _ in self.steps], place) - 1
        return self.steps[at][1]

    def owed(self, place):
        """The contents that were durable by then."""
        return {size for size, since in self.durable.items() if since <= place}

    def under_way(self, place):
        """Paths at the cut device at which a save was begun and was not durable."""
        return {self.written[size][1] for size, since in self.begun.items()
                if since <= place < self.durable.get(size, since)
                and self.written[size][0] == CUT.decode()}


class Case:
    """One class of states: a representative, and how many there are."""

    def __init__(self, name, place, state):
        self.name = name
        self.place = place
        self.state = state
        self.count = 0


def record(folder, steps=()):
    """Lets the recorder work below strace; all steps, if none are named."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "crash_recording.py")
    done = subprocess.run(
        crash_trace.arguments(folder, os.path.join(folder, "trace"))
        + [sys.executable, script, folder, *steps],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise programs.Failure(f"the recording failed: {done.stderr or done.stdout}")
    return done.stdout.strip()


def recorded(folder, steps=()):
    """A recording and what it says. strace tells of two processes in the wrong order now and then:
    what cannot have been so is recorded anew."""
    for number in range(3):
        place = os.path.join(folder, str(number))
        os.makedirs(place)
        said = record(place, steps)
        try:
            return said, Story(place)
        except (crash_model.Failure, KeyError) as failure:
            last = failure
    raise programs.Failure(f"no recording can be followed: {last!r}")


def cases(story):
    """The classes of all states, and how many states and distinct ones there were."""
    recording = story.recording
    commits = sorted({op.durable for op in recording.ops
                      if op.inode.home == b"cloud" and op.durable is not None})
    cuts = crash_states.Cuts(
        recording, CUT, story.steps[0][0], [place for place, _ in story.steps])
    total, distinct, classes, by_digest = 0, set(), {}, {}
    for name, place, state in cuts.all():
        total += 1
        commit = bisect.bisect(commits, place)
        digest = (state.digest(cuts.home), commit)
        distinct.add(digest)
        if digest not in by_digest:
            by_digest[digest] = (state.meaning(cuts.home), commit)
        case = classes.setdefault(by_digest[digest], Case(name, place, state))
        case.count += 1
    return list(classes.values()), total, len(distinct)


class Judge:
    """Looks at one case after the other."""

    def __init__(self, story, library):
        self.story = story
        self.replay = crash_replay.Replay(
            story.recording, story.folder, story.port, library)

    def judge(self, case):
        """What is wrong, as sentences."""
        self.replay.put_back(case.place, case.state)
        cloud = self.replay.cloud()
        devices = self.replay.devices()
        self.ada, self.ben = devices
        self.wrong = []
        try:
            cloud.start()
            for device in devices:
                device.launch()
            for device in devices:
                programs.until(device.is_ready, f"{device.name} answers", 20, pause=0.01)
            self.look(case)
        except (programs.Failure, subprocess.SubprocessError, OSError) as failure:
            self.wrong.append(f"{type(failure).__name__}: {str(failure)[:1500]}")
        finally:
            for process in (*devices, cloud):
                process.kill()
        return self.wrong

    def look(self, case):
        for device in (self.ben, self.ada, self.ben):
            if device.attempt("wait", "--timeout", "15").returncode != 0:
                why = device.attempt("status").stdout.decode()
                self.wrong.append(f"{device.name} does not get in sync: {why}")
                return
        found = [trees.read(os.fsencode(device.documents)) for device in (self.ada, self.ben)]
        self.compare(found, case)
        conflicts = self.ben.json("conflicts")["conflicts"]
        if bool(conflicts) and "both_edit" not in self.story.step(case.place):
            if self.story.step(case.place) != "ben settles":
                self.wrong.append(f"a conflict: {conflicts}")
        self.look_for_all(found, case, conflicts)

    def compare(self, found, case):
        kept = [{path: entry for path, entry in tree.items() if not is_ignored(path)}
                for tree in found]
        for tree, other in ((kept[0], kept[1]), (kept[1], kept[0])):
            for path in list(tree):
                folder, name = os.path.split(path)
                stands = os.path.join(folder, b"." + name + b".icloud")
                if stands in other and path not in other:
                    del tree[path], other[stands]
        self.wrong += [f"ada and ben: {line}" for line in trees.differences(*kept)]
        under_way = self.story.under_way(case.place)
        for tree in kept:
            for path, entry in tree.items():
                if entry.kind != "file" or entry.size in self.story.written:
                    continue
                name = os.fsdecode(path)
                if name not in under_way and not self.is_text(path):
                    self.wrong.append(f"{name}: {entry.size} bytes, which nobody wrote")

    def is_text(self, path):
        if path != b"text.txt":
            return False
        content = programs.read_if_there(self.ben.path(path)) or b""
        return LINE.sub(b"", content) == b""

    def look_for_all(self, found, case, conflicts):
        owed = self.story.owed(case.place)
        seen = {entry.size for tree in found for entry in tree.values() if entry.kind == "file"}
        for folder in ("set-aside", "parked", "staging"):
            place = os.path.join(os.fsencode(self.ben.home), b".ubiquity", folder.encode())
            seen |= {entry.size for entry in trees.read(place).values() if entry.kind == "file"}
        seen |= {head["size"] for row in conflicts for head in row["heads"]}
        if owed - seen:
            seen |= self.in_versions(found[1])
        if owed - seen:
            self.restore_all()
            tree = trees.read(os.fsencode(self.ben.documents))
            seen |= {entry.size for entry in tree.values() if entry.kind == "file"}
            seen |= self.in_versions(tree)
        if owed - seen:
            seen |= self.in_packages({
                self.story.written[size][1].split("/")[0] for size in owed - seen})
        for size in sorted(owed - seen):
            self.wrong.append(f"lost: {size} bytes, {self.story.written[size]}")

    def in_packages(self, names):
        """The members of all versions; each is made the current one for that."""
        sizes = set()
        for name in names:
            if not name.endswith(".textbundle"):
                continue
            for version in self.versions.get(name, []):
                # Asked twice, it replaces also what nobody here has seen.
                for _ in range(2):
                    self.ben.attempt("restore", self.ben.path(name), "--version", version)
                programs.until(
                    lambda: self.ben.attempt("wait", "--timeout", "5").returncode == 0, "in sync")
                tree = trees.read(os.fsencode(self.ben.path(name)))
                sizes |= {entry.size for entry in tree.values()}
        return sizes

    def in_versions(self, tree):
        sizes = set()
        self.versions = {}
        for path, entry in tree.items():
            name = os.fsdecode(path)
            if ".textbundle/" in name or entry.kind == "folder" and not name.endswith("bundle"):
                continue
            folder, base = os.path.split(name)
            if is_ignored(path):
                continue
            if base.endswith(".icloud"):
                name = os.path.join(folder, base[1:-len(".icloud")])
            done = self.ben.attempt("versions", self.ben.path(name), "--json")
            if done.returncode != 0:
                self.wrong.append(f"versions of {name}: {done.stderr.decode()}")
                continue
            versions = [version for version in json.loads(done.stdout)["versions"]
                        if not version["deleted"] and not version["expired"]]
            sizes |= {version["size"] for version in versions}
            self.versions[name] = [version["version"] for version in versions]
        return sizes

    def restore_all(self):
        for row in self.ben.json("trash")["items"]:
            self.ben.attempt("trash", "restore", row["item"], seconds=30)
        self.ben.wait(20)


def work(story, library, mine, output):
    """A process of its own: judges its cases, and writes what is wrong."""
    crash_replay.seclude()
    judge = Judge(story, library)
    with open(output, "w", encoding="utf-8") as file:
        for number, case in mine:
            file.write(json.dumps([number, judge.judge(case)]) + "\n")
            file.flush()


def judge_all(story, classes, jobs):
    """(case, what is wrong) of all that are not as they should be."""
    order = sorted(enumerate(classes), key=lambda pair: pair[1].place)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        library = crash_replay.build_identities(folder)
        children = []
        for job in range(jobs):
            output = os.path.join(folder, f"{job}")
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    work(story, library, order[job::jobs], output)
                    status = 0
                finally:
                    os._exit(status)
            children.append((child, output))
        for child, output in children:
            _, status = os.waitpid(child, 0)
            if status != 0:
                raise programs.Failure("a judge ended by itself")
            with open(output, encoding="utf-8") as lines:
                found += [(classes[number], wrong) for number, wrong in map(json.loads, lines)
                          if wrong]
    return found


def summary(found, story):
    """How often what went wrong, in which step."""
    kinds = collections.Counter()
    for case, wrong in found:
        for line in wrong:
            kinds[story.step(case.place), re.sub(r"\d+", "N", line)[:110]] += 1
    return [f"{count} times in {step}: {line}" for (step, line), count in kinds.most_common()]
