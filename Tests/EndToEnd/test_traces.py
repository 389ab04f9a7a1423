"""Texts that people once typed, typed again on two devices that hear of each other now and then.

TRACES names other traces than the two (or `all`), TRACE_ROUNDS another number of rounds,
TRACE_STROKES how many keystrokes of each are typed apart; see scripts/type-traces.
"""

import collections
import os
import signal
import subprocess
import unittest

import programs
import traces
from scenario import Scenario

NAME = "typed.txt"
# What happens in the rounds, in turn: whether the cloud is away, and whether each saves only once.
# Who saves once has made one version from what both had: then git says what comes of it. Of several
# saves some may be merged before the next, so only what was typed is looked for. With the cloud
# there, what is saved meets what was just installed.
ROUNDS = [(True, True), (True, False), (True, True), (False, False)]


class TraceTests(Scenario):
    def setUp(self):
        super().setUp()
        self.devices = self.two_devices()
        self.merged = self.conflicts = self.saves = 0

    def test_traces(self):
        chosen = os.environ.get("TRACES", "sveltecomponent friendsforever").split()
        rounds = int(os.environ.get("TRACE_ROUNDS", "16"))
        apart = int(os.environ.get("TRACE_STROKES", "400"))
        for name in traces.names() if chosen == ["all"] else chosen:
            with self.subTest(name):
                self.merged = self.conflicts = self.saves = 0
                self.type(traces.Typing(traces.Trace(name), rounds, apart, 4))
                print(f"{name}: {self.saves} saves in {rounds} rounds, {self.merged} merged, "
                      f"{self.conflicts} conflicts", flush=True)

    def type(self, typing):
        for number, (alone, strokes) in enumerate(typing.rounds):
            typing.type_alone(alone)
            before = typing.text()
            self.write_and_settle(before)
            typing.meet()
            is_away, is_one = ROUNDS[number % len(ROUNDS)]
            saves = list(typing.saves(strokes))
            typed = self.type_apart(dict(saves).items() if is_one else saves, before, is_away)
            if is_one:
                self.check_as_git(before, typed)
            self.check_lines(before, typed)
            self.end_conflict()
            typing.meet()
        self.write_and_settle(typing.text())
        self.assertEqual(typing.text().decode(), typing.trace.end)

    def type_apart(self, saves, before, is_away):
        """What each has typed in the end; then both hear of it."""
        typed = [before, before]
        if is_away:
            self.cloud.process.child.send_signal(signal.SIGSTOP)
        try:
            for typist, text in saves:
                if text != typed[typist]:
                    programs.save(self.devices[typist].path(NAME), text)
                    self.saves += 1
                typed[typist] = text
            if is_away:
                # What was saved is seen before anything can come from the other.
                for device, text in zip(self.devices, typed):
                    programs.until(lambda: self.has_seen(device, text), "the save is seen")
        finally:
            self.cloud.process.child.send_signal(signal.SIGCONT)
        self.settle(*self.devices)
        return typed

    def has_seen(self, device, text):
        """The daemon knows the file as it is."""
        row = device.json("ls", device.path(NAME))["items"][0]
        return row["size"] == len(text)

    def texts(self, device):
        """What shows, and what else is kept in conflict."""
        shown = programs.read_if_there(device.path(NAME))
        rows = device.json("conflicts")["conflicts"]
        heads = [head["version"] for row in rows for head in row["heads"] if not head["shown"]]
        return [shown] + [
            device.command("cat", device.path(NAME), "--version", head) for head in heads]

    def agree(self):
        """The same on both devices, however long a merge takes to follow."""
        def same():
            one, other = (self.texts(device) for device in self.devices)
            return one if one == other else None
        return programs.until(same, "both devices have the same")

    def check_as_git(self, before, typed):
        """What git merges is merged to the same bytes; what it does not is kept, both of it."""
        expected = merged_by_git(self.folder, before, *typed)
        self.merged += expected is not None and before not in typed and typed[0] != typed[1]
        if expected is None:
            programs.until(lambda: len(self.agree()) == 2, "there is a conflict")
            self.assertEqual(sorted(self.agree()), sorted(typed))
        else:
            programs.until(lambda: self.agree() == [expected], "both have the merge")

    def check_lines(self, before, typed):
        """Every line that somebody typed is there."""
        there = lines(b"\n".join(self.agree()))
        for text in typed:
            missing = lines(text) - lines(before) - there
            self.assertEqual(missing, collections.Counter())

    def end_conflict(self):
        device = self.devices[0]
        rows = device.json("conflicts")["conflicts"]
        if not rows:
            return
        self.conflicts += 1
        shown = next(head["version"] for head in rows[0]["heads"] if head["shown"])
        device.command("resolve", device.path(NAME), "--keep", shown)
        self.settle(*self.devices)

    def write_and_settle(self, text):
        """What the text is to be, saved by who has read what is there."""
        device = self.devices[0]
        if programs.read_if_there(device.path(NAME)) != text:
            programs.save(device.path(NAME), text)
        self.settle(*self.devices)
        programs.until(lambda: self.agree() == [text], "both devices have the text")
        for device in self.devices:
            programs.read_if_there(device.path(NAME))


def lines(text):
    return collections.Counter(text.splitlines())


def merged_by_git(folder, base, first, second):
    """What `git merge-file` makes of it; None if there are conflicts."""
    paths = [os.path.join(folder, name) for name in ("first", "base", "second")]
    for path, text in zip(paths, (first, base, second)):
        with open(path, "wb") as file:
            file.write(text)
    done = subprocess.run(
        ["git", "merge-file", "--stdout", "--quiet", *paths], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


if __name__ == "__main__":
    unittest.main()
