"""What was changed apart becomes one by itself, where it can."""

import os
import unittest

import programs
from scenario import Scenario

PLAN = b"# Plan\n\nMeet at noon.\n\nBring bread.\n\nCall Anna.\n"


class MergeTests(Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()

    def share(self, name, content):
        programs.save(self.laptop.path(name), content)
        self.settle(self.laptop, self.desktop)
        self.assert_content(self.desktop, name, content)

    def apart(self, on_laptop, on_desktop):
        """What happens on the two devices while the cloud is away."""
        self.cloud.end()
        on_laptop(self.laptop)
        on_desktop(self.desktop)
        for device in (self.laptop, self.desktop):
            device.attempt("wait", "--timeout", "1")
        self.cloud.start()
        self.settle(self.laptop, self.desktop)

    def check_one(self, name, content, mode=None):
        # A merge may follow what both have said.
        programs.until(
            lambda: all(
                programs.read_if_there(device.path(name)) == content
                for device in (self.laptop, self.desktop)), "both have it")
        self.settle(self.laptop, self.desktop)
        for device in (self.laptop, self.desktop):
            self.assert_content(device, name, content)
            self.assertEqual(device.json("conflicts")["conflicts"], [])
            self.assertEqual(device.attempt("status").returncode, 0)
            if mode is not None:
                self.assertEqual(os.stat(device.path(name)).st_mode & 0o777, mode)
        self.assert_same(self.laptop, self.desktop)

    def test_different_lines(self):
        self.share("plan.md", PLAN)
        self.apart(
            lambda device: programs.save(device.path("plan.md"), PLAN.replace(b"noon", b"ten")),
            lambda device: programs.save(device.path("plan.md"), PLAN + b"\nPay.\n"))
        self.check_one("plan.md", PLAN.replace(b"noon", b"ten") + b"\nPay.\n")

    def test_a_long_text(self):
        text = b"".join(b"line %d of a long text\n" % number for number in range(20_000))
        self.share("long.txt", text)
        self.apart(
            lambda device: programs.save(device.path("long.txt"), b"first\n" + text),
            lambda device: programs.save(device.path("long.txt"), text + b"last\n"))
        self.check_one("long.txt", b"first\n" + text + b"last\n")

    def test_a_mode_and_a_picture(self):
        picture = bytes(range(256)) * 40
        self.share("picture.jpg", picture)
        self.apart(
            lambda device: os.chmod(device.path("picture.jpg"), 0o600),
            lambda device: programs.save(device.path("picture.jpg"), picture + b"more"))
        self.check_one("picture.jpg", picture + b"more")

    def test_a_mode_and_a_text(self):
        self.share("plan.md", PLAN)

        def append(device):
            with open(device.path("plan.md"), "ab") as file:
                file.write(b"\nPay.\n")

        self.apart(lambda device: os.chmod(device.path("plan.md"), 0o600), append)
        self.check_one("plan.md", PLAN + b"\nPay.\n", 0o600)

    def test_equal_bytes(self):
        self.share("plan.md", PLAN)
        text = PLAN.replace(b"noon", b"ten")
        self.apart(
            lambda device: programs.save(device.path("plan.md"), text),
            lambda device: programs.save(device.path("plan.md"), text))
        self.check_one("plan.md", text)

    def test_the_same_new_file(self):
        self.apart(
            lambda device: programs.save(device.path("new.md"), PLAN),
            lambda device: programs.save(device.path("new.md"), PLAN))
        self.check_one("new.md", PLAN)


if __name__ == "__main__":
    unittest.main()
