"""Joining and leaving: the files stay, whatever happens to the account."""

import unittest

import programs
from scenario import Scenario


class JoinTests(Scenario):
    def test_leave_and_join_again(self):
        laptop, desktop = self.two_devices()
        programs.save(laptop.path("note.md"), b"kept")
        self.settle(laptop, desktop)
        desktop.command("leave")
        self.assertEqual(desktop.json("status")["state"], "signed out")
        self.assert_content(desktop, "note.md", b"kept")
        programs.save(laptop.path("later.md"), b"later")
        laptop.wait()
        self.assert_content(desktop, "later.md", None)
        desktop.join(self.cloud)
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        self.assert_names(desktop, ["note.md", "later.md"])

    def test_join_while_the_daemon_runs(self):
        self.start_cloud()
        laptop = self.device("laptop")
        desktop = programs.Device(self.folder, "desktop")
        self.addCleanup(desktop.kill)
        desktop.start()
        self.assertEqual(desktop.json("status")["state"], "signed out")
        desktop.join(self.cloud)
        programs.save(laptop.path("note.md"), b"text")
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)

    def test_files_that_were_there_before_joining_are_sent(self):
        self.start_cloud()
        laptop = self.device("laptop")
        desktop = programs.Device(self.folder, "desktop")
        self.addCleanup(desktop.kill)
        desktop.start()
        programs.save(desktop.path("early.md"), b"early")
        desktop.join(self.cloud)
        self.settle(desktop, laptop)
        self.assert_content(laptop, "early.md", b"early")

    def test_another_account_sees_nothing(self):
        laptop, _ = self.two_devices()
        programs.save(laptop.path("private.md"), b"private")
        laptop.wait()
        self.cloud.add_account("boris", "another password")
        stranger = programs.Device(self.folder, "stranger")
        self.addCleanup(stranger.kill)
        stranger.join(self.cloud, "boris", "another password")
        stranger.start()
        stranger.wait()
        self.assert_names(stranger, [])


if __name__ == "__main__":
    unittest.main()
