"""What was deleted comes back; old versions become current; many deletions wait."""

import os
import shutil
import time
import unittest

import programs
from scenario import Scenario


class TrashTests(Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()

    def fill(self, names):
        for name in names:
            path = self.laptop.path(name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            programs.save(path, os.fsencode(name))
        self.settle(self.laptop, self.desktop)

    def trash(self, device):
        rows = device.json("trash")["items"]
        return {os.path.relpath(row["path"], device.documents): row for row in rows}

    def test_a_folder_comes_back_with_all_that_went_with_it(self):
        names = ["Plans/one.md", "Plans/Old/two.md", "other.md"]
        self.fill(names)
        shutil.rmtree(self.laptop.path("Plans"))
        self.settle(self.laptop, self.desktop)
        self.assert_names(self.desktop, ["other.md"])
        found = self.trash(self.desktop)
        self.assertLessEqual({"Plans", "Plans/one.md", "Plans/Old/two.md"}, found.keys())
        self.assertEqual(found["Plans"]["device"], "laptop")
        self.desktop.command("trash", "restore", found["Plans"]["item"])
        # The command returns when it is on the disk.
        for name in names:
            self.assert_content(self.desktop, name, os.fsencode(name))
        self.settle(self.desktop, self.laptop)
        self.assert_same(self.laptop, self.desktop)
        self.assertNotIn("Plans", self.trash(self.laptop))

    def test_a_slow_removal_comes_back_whole(self):
        names = [f"Plans/{number}.md" for number in range(60)] + ["Plans/Old/two.md", "other.md"]
        self.fill(names + ["Plans/long ago.md"])
        os.remove(self.laptop.path("Plans/long ago.md"))
        time.sleep(12)
        for name in names[:-1]:
            os.remove(self.laptop.path(name))
            time.sleep(0.03)
        for name in ("Plans/Old", "Plans"):
            os.rmdir(self.laptop.path(name))
        self.settle(self.laptop, self.desktop)
        self.desktop.command("trash", "restore", self.desktop.path("Plans"))
        for name in names:
            self.assert_content(self.desktop, name, os.fsencode(name))
        self.settle(self.desktop, self.laptop)
        self.assert_same(self.laptop, self.desktop)
        self.assertEqual(list(self.trash(self.laptop)), ["Plans/long ago.md"])

    def test_a_file_whose_name_is_taken_comes_back_beside_it(self):
        self.fill(["note.md"])
        os.remove(self.laptop.path("note.md"))
        self.settle(self.laptop, self.desktop)
        programs.save(self.desktop.path("note.md"), b"another")
        self.settle(self.desktop, self.laptop)
        self.laptop.command("trash", "restore", self.trash(self.laptop)["note.md"]["item"])
        self.settle(self.laptop, self.desktop)
        for device in (self.laptop, self.desktop):
            self.assert_content(device, "note.md", b"another")
            self.assert_content(device, "note 2.md", b"note.md")

    def test_an_old_version_becomes_current(self):
        self.fill(["note.md"])
        programs.save(self.laptop.path("note.md"), b"newer")
        self.settle(self.laptop, self.desktop)
        path = self.desktop.path("note.md")
        versions = self.desktop.json("versions", path)["versions"]
        old = next(row for row in versions if not row["current"])
        self.desktop.command("restore", path, "--version", old["version"])
        self.assert_content(self.desktop, "note.md", b"note.md")
        self.settle(self.desktop, self.laptop)
        self.assert_content(self.laptop, "note.md", b"note.md")
        self.assertEqual(len(self.desktop.json("versions", path)["versions"]), 3)

    def test_what_came_meanwhile_is_not_replaced_unseen(self):
        self.fill(["note.md"])
        path = self.desktop.path("note.md")
        old = self.desktop.json("versions", path)["versions"][0]["version"]
        programs.save(self.laptop.path("note.md"), b"newer")
        self.settle(self.laptop, self.desktop)
        newer = self.laptop.json("versions", self.laptop.path("note.md"))["versions"][0]["version"]
        self.assert_says_why(
            self.desktop.attempt("restore", path, "--version", old), newer, "of laptop",
            "given again")
        self.settle(self.desktop, self.laptop)
        self.assert_content(self.desktop, "note.md", b"newer")
        self.desktop.command("restore", path, "--version", old)
        # Who goes back and forth knows what came of it.
        self.desktop.command("restore", path, "--version", newer)
        self.desktop.command("restore", path, "--version", old)
        self.settle(self.desktop, self.laptop)
        self.assert_content(self.laptop, "note.md", b"note.md")

    def test_what_is_not_there_is_explained(self):
        self.assert_says_why(
            self.laptop.attempt("trash", "restore", "0123"), "not in the trash")


class ManyDeletionsTests(Scenario):
    NAMES = ["n%d.md" % number for number in range(260)]

    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()
        for name in self.NAMES:
            programs.save(self.laptop.path(name), name.encode())
        self.settle(self.laptop, self.desktop)
        for name in self.NAMES[:220]:
            os.remove(self.laptop.path(name))
        programs.until(
            lambda: self.laptop.json("status")["state"] == "stuck", "a person is asked")

    def count(self, device):
        return len(os.listdir(device.documents))

    def test_they_wait_and_are_confirmed(self):
        self.assertEqual(
            [row["code"] for row in self.laptop.json("status")["stuck"]], ["confirm"])
        self.assertGreaterEqual(self.count(self.desktop), 160)
        self.laptop.end()
        self.laptop.start()
        self.assertEqual(self.laptop.json("status")["state"], "stuck")
        self.assertEqual(self.count(self.laptop), 40)
        self.laptop.command("confirm")
        self.settle(self.laptop, self.desktop)
        self.assertEqual(self.count(self.desktop), 40)

    def test_they_are_put_back(self):
        self.laptop.command("confirm", "--undo")
        self.settle(self.laptop, self.desktop)
        self.assertGreaterEqual(self.count(self.laptop), 160)
        self.assert_same(self.laptop, self.desktop)


if __name__ == "__main__":
    unittest.main()
