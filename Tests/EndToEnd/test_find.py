"""Searches that go on: what another device does is told while it happens."""

import os
import subprocess
import unittest

import programs
from scenario import Scenario

MARKDOWN = "kMDItemFSName LIKE '*.md' AND kMDItemFSSize > 3"


class FindTests(Scenario):
    def live(self, device, predicate):
        """`find --live` on a device; killed with the test."""
        search = subprocess.Popen(
            [programs.program(), "find", predicate, "--live"], env=device.environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.addCleanup(search.stdout.close)
        self.addCleanup(search.wait)
        self.addCleanup(search.kill)
        return search

    def assert_says(self, search, word, path):
        line = search.stdout.readline().rstrip(b"\n")
        self.assertEqual(line, (word.encode() + b"\t" if word else b"") + os.fsencode(path))

    def test_find_tells_of_what_another_device_does(self):
        laptop, desktop = self.two_devices()
        programs.save(laptop.path("first.md"), b"first\n")
        os.mkdir(laptop.path("folder"))
        programs.save(laptop.path("folder/inner.md"), b"inner\n")
        self.settle(laptop, desktop)
        search = self.live(desktop, MARKDOWN)
        self.assert_says(search, "", desktop.path("first.md"))
        self.assert_says(search, "", desktop.path("folder/inner.md"))
        programs.save(laptop.path("new.md"), b"a new note\n")
        self.assert_says(search, "added", desktop.path("new.md"))
        self.settle(laptop, desktop)
        # The folder's own name does not match, but what is in it has another path.
        os.rename(laptop.path("folder"), laptop.path("moved"))
        self.assert_says(search, "removed", desktop.path("folder/inner.md"))
        self.assert_says(search, "added", desktop.path("moved/inner.md"))
        self.settle(laptop, desktop)
        # Three bytes are too few.
        programs.save(laptop.path("first.md"), b"1\n")
        while True:
            line = search.stdout.readline().rstrip(b"\n")
            if line == b"removed\t" + os.fsencode(desktop.path("first.md")):
                break
            self.assertIn(b"changed\t", line)


if __name__ == "__main__":
    unittest.main()
