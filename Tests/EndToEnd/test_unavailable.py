"""A disk is mounted over a container's documents: nothing says so but a look."""

import os
import subprocess
import unittest

import programs
from scenario import Scenario


@unittest.skipUnless(os.geteuid() == 0, "only root can mount")
class MountTests(Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()
        programs.save(self.laptop.path("note.md"), b"note")
        self.settle(self.laptop, self.desktop)

    def mount(self):
        documents = self.laptop.documents
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", documents], capture_output=True,
            check=False)
        if done.returncode != 0:
            self.skipTest("this machine lets nobody mount")
        self.addCleanup(
            subprocess.run, ["umount", "--lazy", documents], check=False, capture_output=True)

    def test_wait_looks_first(self):
        self.mount()
        done = self.laptop.attempt("wait", "--timeout", "2")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"folder", done.stdout)

    def test_status_looks_first(self):
        self.mount()
        status = self.laptop.json("status")
        self.assertEqual(status["state"], "unavailable")
        self.assertEqual([row["code"] for row in status["stuck"]], ["unavailable"])

    def test_why_and_ls_say_it(self):
        path = self.laptop.path("note.md")
        self.mount()
        self.assertEqual(self.laptop.json("why", path)["code"], "unavailable")
        listed = self.laptop.attempt("ls")
        self.assertIn(b"stuck", listed.stdout)
        self.assertIn(b"is unavailable", listed.stderr)
        programs.save(self.laptop.path("new.md"), b"new")
        self.assertEqual(
            self.laptop.json("why", self.laptop.path("new.md"))["code"], "unavailable")
        self.assert_says_why(
            self.laptop.attempt("confirm", "--undo"), "no deletions wait", self.laptop.documents)
        subprocess.run(["umount", self.laptop.documents], check=True)
        self.settle(self.laptop, self.desktop)
        self.assert_content(self.desktop, "note.md", b"note")
        self.assertEqual(self.laptop.json("why", path)["code"], "current")

    def test_undo_without_anything_to_undo(self):
        self.assert_says_why(self.laptop.attempt("confirm", "--undo"), "no deletions wait")


if __name__ == "__main__":
    unittest.main()


@unittest.skipUnless(os.geteuid() == 0, "only root can mount")
class ApartTests(Scenario):
    """The containers on another file system than the device's own folder."""

    def bind(self, place):
        """The same file system once more: its number says nothing."""
        other = os.path.join(self.folder, "other")
        os.makedirs(other, exist_ok=True)
        done = subprocess.run(
            ["mount", "--bind", other, place], capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest("this machine lets nobody mount")
        self.addCleanup(
            subprocess.run, ["umount", "--lazy", place], check=False, capture_output=True)

    def test_join_refuses_with_a_reason(self):
        self.start_cloud()
        laptop = programs.Device(self.folder, "laptop")
        self.addCleanup(laptop.kill)
        containers = os.path.join(laptop.home, "Containers")
        os.makedirs(containers)
        for mount in [lambda: self.bind(containers), lambda: self.mount_disk(containers)]:
            mount()
            with self.assertRaises(Exception):
                laptop.join(self.cloud)
            subprocess.run(["umount", containers], check=True)
        laptop.join(self.cloud)

    def mount_disk(self, place):
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], check=True)
        self.addCleanup(
            subprocess.run, ["umount", "--lazy", place], check=False, capture_output=True)

    def test_a_start_says_why_and_deletes_nothing(self):
        laptop, desktop = self.two_devices()
        programs.save(laptop.path("note.md"), b"note")
        self.settle(laptop, desktop)
        laptop.end()
        containers = os.path.join(laptop.home, "Containers")
        self.bind(containers)
        laptop.start()
        status = laptop.json("status")
        self.assertEqual(status["state"], "stuck")
        self.assertIn("two file systems", status["stuck"][0]["reason"])
        laptop.end()
        subprocess.run(["umount", containers], check=True)
        laptop.start()
        self.settle(laptop, desktop)
        self.assert_content(laptop, "note.md", b"note")
        self.assert_content(desktop, "note.md", b"note")
