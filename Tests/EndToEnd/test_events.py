"""`ubiquity events`: what happens, as it happens."""

import json
import os
import subprocess
import threading

import programs
from scenario import Scenario


class EventsTests(Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()
        self.settle(self.laptop, self.desktop)

    def follow(self, *arguments):
        """The command on the desktop."""
        child = subprocess.Popen(
            [programs.program(), "events", *arguments], stdout=subprocess.PIPE,
            env=dict(os.environ, UBIQUITY_HOME=self.desktop.home))
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def test_a_file_comes_changes_and_goes(self):
        child = self.follow("--json")
        events = []

        def read():
            for line in child.stdout:
                events.append(json.loads(line))

        threading.Thread(target=read, daemon=True).start()
        programs.until(lambda: events, "it has said how the device stands")
        self.assertEqual(events[0]["event"], "status")
        self.assertIn("in sync", events[0]["text"])
        programs.save(self.laptop.path("note.md"), b"text\n")
        path = self.desktop.path("note.md")
        programs.until(
            lambda: any(
                event["event"] == "item" and event["path"] == path
                and event["text"] == "current" for event in events), "the file has come")
        os.remove(self.laptop.path("note.md"))
        programs.until(
            lambda: any(
                event["event"] == "removed" and event["path"] == path for event in events),
            "the file has gone")
        times = [event["time"] for event in events]
        self.assertEqual(times, sorted(times))
        self.desktop.end()
        self.assertEqual(child.wait(20), 1)

    def test_lines_for_people(self):
        child = self.follow()
        self.assertIn(b"\tstatus\tin sync at ", child.stdout.readline())
        programs.save(self.laptop.path("a b.md"), b"text\n")
        while True:
            line = child.stdout.readline()
            if b"\titem\tcurrent\t" in line:
                break
        self.assertIn(b"a b.md", line)
        self.assertTrue(line.endswith(b"\n"))

    def test_without_a_device(self):
        self.desktop.end()
        self.assert_says_why(self.desktop.attempt("events"), "no device runs")
