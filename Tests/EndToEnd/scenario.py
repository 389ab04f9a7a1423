"""What the scenarios have in common: a cloud and devices in a temporary folder."""

import os
import shutil
import subprocess
import tempfile
import unittest

import programs
import trees


class Scenario(unittest.TestCase):
    """A test with real processes; what it leaves running is killed, its folder removed."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ubiquity-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.cloud = programs.Cloud(self.folder)
        self.addCleanup(self.cloud.kill)

    def start_cloud(self):
        self.cloud.add_account("anna")
        self.cloud.start()

    def joined_device(self, name):
        """A device that has joined, without its daemon."""
        device = programs.Device(self.folder, name)
        self.addCleanup(device.kill)
        device.join(self.cloud)
        return device

    def device(self, name):
        """A device that has joined and is ready."""
        device = self.joined_device(name)
        device.start()
        return device

    def two_devices(self):
        self.start_cloud()
        return self.device("laptop"), self.device("desktop")

    def mount(self, place, size):
        """A small disk of its own for a folder; only root has one."""
        os.makedirs(place)
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", place],
            capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest("this machine lets nobody mount")
        self.addCleanup(subprocess.run, ["umount", "--lazy", place], check=False)

    def settle(self, *devices):
        programs.settle(devices)

    def assert_same(self, one, other):
        """Two folders, or the documents of two devices, are equal in all that is synced."""
        one, other = (getattr(place, "documents", place) for place in (one, other))
        found = trees.differences(trees.read(os.fsencode(one)), trees.read(os.fsencode(other)))
        self.assertEqual(found, [])

    def assert_names(self, device, names):
        """The documents hold these paths and nothing else."""
        found = sorted(os.fsdecode(path) for path in trees.read(os.fsencode(device.documents)))
        self.assertEqual(found, sorted(names))

    def assert_content(self, device, name, content):
        self.assertEqual(programs.read_if_there(device.path(name)), content)

    def assert_says_why(self, done, *words):
        """A command failed as it should: status 1, and one line with these words."""
        text = done.stderr.decode()
        self.assertEqual(done.returncode, 1, text)
        self.assertEqual(len(text.strip().splitlines()), 1, text)
        for word in words:
            self.assertIn(word.lower(), text.lower())
