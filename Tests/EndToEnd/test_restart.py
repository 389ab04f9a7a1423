"""Programs that end and come back go on where they were."""

import os
import signal
import unittest

import programs
from scenario import Scenario


class RestartTests(Scenario):
    def test_signals_end_all_cleanly(self):
        laptop, _ = self.two_devices()
        self.assertEqual(laptop.process.end(signal.SIGINT), 0)
        self.assertEqual(self.cloud.process.end(signal.SIGINT), 0)
        self.cloud.start()
        laptop.start()
        self.assertEqual(laptop.end(), 0)
        self.assertEqual(self.cloud.end(), 0)

    def test_a_killed_server_is_back_on_its_port_at_once(self):
        laptop, desktop = self.two_devices()
        port = self.cloud.port
        self.cloud.kill()
        self.cloud.start()
        self.assertEqual(self.cloud.port, port)
        programs.save(laptop.path("after.md"), b"after the kill")
        self.settle(laptop, desktop)
        self.assert_content(desktop, "after.md", b"after the kill")

    def test_work_offline_crosses_later(self):
        laptop, desktop = self.two_devices()
        programs.save(laptop.path("edited.md"), b"before")
        programs.save(laptop.path("removed.md"), b"before")
        programs.save(laptop.path("moved.md"), b"before")
        self.settle(laptop, desktop)
        self.cloud.end()
        programs.save(laptop.path("edited.md"), b"after")
        programs.save(laptop.path("new.md"), b"new")
        os.remove(laptop.path("removed.md"))
        os.makedirs(laptop.path("folder"))
        os.rename(laptop.path("moved.md"), laptop.path("folder/moved.md"))
        laptop.kill()
        laptop.start()
        self.cloud.start()
        self.settle(laptop, desktop)
        self.assert_same(laptop, desktop)
        self.assert_names(desktop, ["edited.md", "new.md", "folder", "folder/moved.md"])
        self.assert_content(desktop, "edited.md", b"after")

    def test_a_device_that_was_away_catches_up(self):
        laptop, desktop = self.two_devices()
        desktop.end()
        for number in range(100):
            programs.save(laptop.path(f"note {number}.md"), b"%d" % number)
        laptop.wait()
        desktop.start()
        desktop.wait()
        self.assert_same(laptop, desktop)

    def test_a_device_joins_late(self):
        laptop, desktop = self.two_devices()
        for number in range(50):
            programs.save(laptop.path(f"note {number}.md"), b"%d" % number)
        self.settle(laptop, desktop)
        phone = self.device("phone")
        phone.wait()
        self.assert_same(laptop, phone)

    def test_nothing_but_documents_in_a_quiet_folder(self):
        laptop, desktop = self.two_devices()
        for number in range(20):
            programs.save(laptop.path("note.md"), b"%d" % number)
        for victim in (laptop, desktop):
            victim.kill()
            victim.start()
        self.settle(laptop, desktop)
        for device in (laptop, desktop):
            self.assert_names(device, ["note.md"])
            self.assert_content(device, "note.md", b"19")


if __name__ == "__main__":
    unittest.main()
