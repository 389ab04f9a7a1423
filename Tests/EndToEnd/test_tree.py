"""Whole trees cross as they are: names as bytes, contents, modes, links, times."""

import os
import shutil
import unittest

import odd_tree
import programs
from scenario import Scenario

VAULT = os.path.join(programs.CHECKOUT, "Tests", "Cases", "obsidian-vault")


class TreeTests(Scenario):
    def test_thousand_odd_files_in_fifty_folders(self):
        laptop, desktop = self.two_devices()
        odd_tree.write(laptop.path(b"tree"), 1000, 50, seed=1)
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)

    def test_a_tree_that_was_there_before_the_daemon(self):
        self.start_cloud()
        laptop, desktop = self.joined_device("laptop"), self.joined_device("desktop")
        odd_tree.write(laptop.path(b"tree"), 300, 20, seed=2)
        laptop.start()
        desktop.start()
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        self.assertEqual(len(os.listdir(laptop.documents)), 1)

    def test_a_vault_of_notes(self):
        laptop, desktop = self.two_devices()
        shutil.copytree(VAULT, laptop.path("vault"), symlinks=True)
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        self.assert_same(VAULT, desktop.path("vault"))

    def test_changes_to_a_tree_cross_both_ways(self):
        laptop, desktop = self.two_devices()
        odd_tree.write(laptop.path(b"tree"), 200, 10, seed=3)
        self.settle(laptop, desktop)
        os.rename(desktop.path("tree"), desktop.path("wood"))
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        # Few, so that the folder that goes (134 of 211 items) is over half with them and without.
        odd_tree.write(laptop.path(b"wood/more"), 20, 3, seed=4)
        # Over half of what is there: somebody has to say that it is meant.
        shutil.rmtree(desktop.path(b"wood/" + self.a_folder(desktop, b"wood")))
        programs.until(
            lambda: desktop.json("status")["state"] == "stuck", "a person is asked")
        desktop.command("confirm")
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        self.assert_names_exist(laptop, "wood/more")

    def a_folder(self, device, parent):
        place = device.path(parent)
        names = sorted(name for name in os.listdir(place) if name != b"more")
        paths = (os.path.join(place, name) for name in names)
        return next(
            os.path.basename(path) for path in paths
            if os.path.isdir(path) and not os.path.islink(path))

    def assert_names_exist(self, device, name):
        self.assertTrue(os.path.isdir(device.path(name)), name)

    def test_modes_times_and_links_that_change_later(self):
        laptop, desktop = self.two_devices()
        programs.save(laptop.path("note.md"), b"text\n")
        os.symlink("note.md", laptop.path("link"))
        self.settle(laptop, desktop)
        os.chmod(desktop.path("note.md"), 0o600)
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        os.utime(laptop.path("note.md"), ns=(-1, -1))
        os.remove(laptop.path("link"))
        os.symlink("elsewhere", laptop.path("link"))
        os.utime(laptop.path("link"), ns=(1, 1), follow_symlinks=False)
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        self.assertEqual(os.stat(desktop.path("note.md")).st_mtime_ns, -1)
        self.assertEqual(os.readlink(desktop.path("link")), "elsewhere")


if __name__ == "__main__":
    unittest.main()
