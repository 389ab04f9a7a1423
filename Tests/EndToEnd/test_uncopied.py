"""Files of over 16 MiB, which are sent from where they lie if they can be sent at once."""

import os
import time
import unittest

import programs
import scenario
import transfers

SIZE = 20 * transfers.MEBIBYTE


class UncopiedTests(scenario.Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()

    def read_offline(self, write):
        """Without a server, until what was written waits to be sent."""
        self.cloud.kill()
        for device in (self.laptop, self.desktop):
            programs.until(lambda: device.json("status")["state"] == "offline", "it is offline")
        write()
        programs.until(lambda: self.laptop.json("status")["outbox"] > 0, "it is read", 60)

    def aside(self):
        chunks = os.path.join(self.laptop.home, ".ubiquity", "chunks")
        return os.listdir(chunks)

    def read_while_it_is_slow(self):
        """Of what is sent a part only has left."""
        self.laptop.command("limit", "--up", "100K")
        path = self.laptop.path("long")
        transfers.write_noise(path, SIZE)
        programs.until(lambda: self.laptop.json("status")["outbox"] > 0, "it is read", 60)
        with open(path, "rb") as file:
            return path, file.read()

    def expect_in_the_trash(self, content):
        """It was removed before it was sent, and can be had back."""
        self.laptop.command("limit", "--up", "off")
        self.settle(self.laptop, self.desktop)
        self.assertFalse(os.path.exists(self.desktop.path("long")))
        self.desktop.command("trash", "restore", self.desktop.path("long"))
        self.settle(self.laptop, self.desktop)
        for device in (self.laptop, self.desktop):
            self.assert_content(device, "long", content)

    def test_nothing_is_written_twice(self):
        self.read_while_it_is_slow()
        self.assertEqual(self.aside(), [])
        self.laptop.command("limit", "--up", "off")
        transfers.cross(self.laptop, self.desktop, "long", 60)
        self.settle(self.laptop, self.desktop)
        self.assertEqual(self.aside(), [])

    def test_one_that_is_removed_before_it_is_sent_is_in_the_trash(self):
        path, content = self.read_while_it_is_slow()
        os.remove(path)
        time.sleep(2)
        self.expect_in_the_trash(content)

    def test_what_is_not_sent_soon_is_copied(self):
        """Then it outlives its file and the daemon."""
        path, content = self.read_while_it_is_slow()
        programs.until(lambda: len(self.aside()) > 200, "it is copied", 60)
        os.remove(path)
        time.sleep(2)
        self.laptop.kill()
        self.laptop.start()
        self.expect_in_the_trash(content)

    def test_offline_it_is_copied_at_once(self):
        path = self.laptop.path("long")
        self.read_offline(lambda: transfers.write_noise(path, SIZE))
        self.assertGreater(len(self.aside()), 200)
        with open(path, "rb") as file:
            content = file.read()
        os.remove(path)
        time.sleep(2)
        self.laptop.kill()
        self.cloud.start()
        self.laptop.start()
        self.expect_in_the_trash(content)

    def test_one_that_changes_before_it_is_sent_is_sent_as_it_is_then(self):
        path = self.laptop.path("long")
        self.read_offline(lambda: transfers.write_noise(path, SIZE))
        transfers.overwrite(path, SIZE // 2, b"changed")
        transfers.overwrite(path, 5, b"and again")
        self.cloud.start()
        transfers.cross(self.laptop, self.desktop, "long", 90)
        self.settle(self.laptop, self.desktop)

    def test_one_that_changes_all_the_time_gets_there(self):
        """What is copied aside can be sent whatever becomes of the file."""
        path = self.laptop.path("long")
        self.laptop.command("limit", "--up", "8M")
        transfers.write_noise(path, SIZE)
        end = time.monotonic() + 25
        number = 0
        while time.monotonic() < end:
            time.sleep(1.5)
            number += 1
            transfers.overwrite(path, SIZE // 2, b"change %d" % number)
            if os.path.exists(self.desktop.path("long")):
                break
        self.assertTrue(os.path.exists(self.desktop.path("long")))
        transfers.cross(self.laptop, self.desktop, "long", 90)
        self.settle(self.laptop, self.desktop)

    def test_a_restart_goes_on(self):
        path = self.laptop.path("long")
        self.read_offline(lambda: transfers.write_noise(path, SIZE))
        self.laptop.kill()
        self.cloud.start()
        self.laptop.start()
        transfers.cross(self.laptop, self.desktop, "long", 90)
        self.settle(self.laptop, self.desktop)


if __name__ == "__main__":
    unittest.main()
