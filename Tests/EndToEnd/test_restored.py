"""Servers and devices that go back to what they were, and keys that are revoked."""

import os
import shutil

import programs
from scenario import Scenario


class RestoredTests(Scenario):
    def keep(self, source):
        """A copy of a folder whose programs are dead, as a backup makes one."""
        copy = source + ".kept"
        shutil.rmtree(copy, ignore_errors=True)
        self.copy(source, copy)
        return copy

    def copy(self, source, target):
        shutil.copytree(
            source, target, symlinks=True, ignore=shutil.ignore_patterns("socket"))

    def put_back(self, copy, target):
        shutil.rmtree(target)
        self.copy(copy, target)

    def backed_up_cloud(self):
        """The server's folder as it is now; the server goes on."""
        self.cloud.kill()
        copy = self.keep(self.cloud.data)
        self.cloud.start()
        return copy

    def restore_cloud(self, copy):
        self.cloud.kill()
        self.put_back(copy, self.cloud.data)
        self.cloud.start()

    def assert_no_conflicts(self, *devices):
        for device in devices:
            self.assertEqual(device.json("conflicts")["conflicts"], [])

    def test_nothing_is_lost_with_an_old_copy_of_the_server(self):
        laptop, desktop = self.two_devices()
        programs.save(laptop.path("old.md"), b"one\n")
        programs.save(laptop.path("removed.md"), b"to be removed\n")
        os.makedirs(laptop.path("folder"))
        programs.save(laptop.path("folder/moved.md"), b"moved\n")
        self.settle(laptop, desktop)
        copy = self.backed_up_cloud()
        self.settle(laptop, desktop)
        programs.save(laptop.path("old.md"), b"one\ntwo\n")
        self.settle(laptop, desktop)
        programs.save(desktop.path("old.md"), b"one\ntwo\nthree\n")
        programs.save(desktop.path("new.md"), b"new\n")
        big = os.urandom(3_000_000)
        programs.save(desktop.path("big.bin"), big)
        os.rename(desktop.path("folder/moved.md"), desktop.path("there.md"))
        os.remove(desktop.path("removed.md"))
        desktop.command("kv", "set", "key", "later")
        self.settle(laptop, desktop)
        self.restore_cloud(copy)
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        self.assert_content(laptop, "old.md", b"one\ntwo\nthree\n")
        self.assert_content(laptop, "new.md", b"new\n")
        self.assert_content(laptop, "big.bin", big)
        self.assert_content(laptop, "there.md", b"moved\n")
        # What was deleted since the backup is there again.
        self.assert_content(laptop, "removed.md", b"to be removed\n")
        for device in (laptop, desktop):
            self.assertEqual(device.json("status")["returned"], 1)
            returned = [row["path"] for row in device.json("ls", "--returned")["items"]]
            self.assertEqual(returned, [device.path("removed.md")])
            self.assertIn(b"ls --returned", device.command("status"))
        desktop.command("confirm")
        desktop.end()
        desktop.start()
        desktop.wait()
        self.assertEqual(desktop.json("status")["returned"], 0)
        self.assertEqual(desktop.json("ls", "--returned")["items"], [])
        self.assertEqual(laptop.command("kv", "get", "key"), b"later\n")
        self.assert_no_conflicts(laptop, desktop)
        # Who joins now gets all of it from the server.
        third = self.device("tablet")
        self.settle(laptop, desktop, third)
        self.assert_same(laptop, third)

    def test_the_same_copy_twice_with_a_device_away_through_both(self):
        laptop, desktop = self.two_devices()
        programs.save(laptop.path("note.md"), b"1\n")
        self.settle(laptop, desktop)
        copy = self.backed_up_cloud()
        programs.save(laptop.path("note.md"), b"1\n2\n")
        programs.save(laptop.path("first.md"), b"first\n")
        self.settle(laptop, desktop)
        desktop.end()
        self.restore_cloud(copy)
        programs.save(laptop.path("second.md"), b"second\n")
        laptop.wait()
        self.restore_cloud(copy)
        programs.save(laptop.path("note.md"), b"1\n2\n3\n")
        laptop.wait()
        desktop.start()
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        self.assert_content(desktop, "note.md", b"1\n2\n3\n")
        self.assert_content(desktop, "first.md", b"first\n")
        self.assert_content(desktop, "second.md", b"second\n")
        self.assert_no_conflicts(laptop, desktop)

    def test_backup_and_restore_are_commands(self):
        laptop, desktop = self.two_devices()
        programs.save(laptop.path("note.md"), b"1\n")
        programs.save(laptop.path("big.bin"), b"big" * 500_000)
        self.settle(laptop, desktop)
        backup = os.path.join(self.folder, "backup")
        self.server("backup", backup)
        # It may be the only one.
        refused = self.server("backup", backup, code=1)
        self.assertIn(b"--replace", refused.stderr)
        self.server("backup", backup, "--replace")
        programs.save(laptop.path("note.md"), b"1\n2\n")
        self.settle(laptop, desktop)
        # Not into a server that runs.
        self.assertEqual(self.server("restore", backup, code=1).returncode, 1)
        self.cloud.kill()
        self.server("restore", backup)
        self.cloud.start()
        self.settle(laptop, desktop)
        self.assert_content(desktop, "note.md", b"1\n2\n")
        tablet = self.device("tablet")
        self.settle(laptop, tablet)
        self.assert_content(tablet, "big.bin", b"big" * 500_000)
        self.assert_no_conflicts(laptop, desktop)

    def server(self, *arguments, code=0):
        done = programs.subprocess.run(
            [self.cloud.program, "server", *arguments, "--data", self.cloud.data],
            capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_a_revoked_device_keeps_its_work_and_says_so(self):
        laptop, desktop = self.two_devices()
        programs.save(laptop.path("note.md"), b"1\n")
        self.settle(laptop, desktop)
        names = [row["name"] for row in laptop.json("devices")["devices"]]
        self.assertEqual(sorted(names), ["desktop", "laptop"])
        laptop.command("devices", "revoke", "desktop")
        programs.until(lambda: desktop.json("status")["state"] == "revoked", "it says so")
        programs.save(desktop.path("unsent.md"), b"unsent\n")
        programs.until(lambda: desktop.json("status")["outbox"] == 1, "it counts what is unsent")
        self.assertEqual(desktop.attempt("wait", "--timeout", "2").returncode, 1)
        self.assert_content(desktop, "note.md", b"1\n")
        # Joining again goes on from what it has.
        desktop.join(self.cloud)
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        self.assert_content(laptop, "unsent.md", b"unsent\n")
        self.assert_no_conflicts(laptop, desktop)
        laptop.command("devices", "rename", "notebook")
        self.assertIn(b"notebook (this device)", laptop.command("devices"))
