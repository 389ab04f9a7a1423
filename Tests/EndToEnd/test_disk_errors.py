"""A disk that gives errors for a while, or has no room at all: nothing is lost."""

import contextlib
import os
import random
import signal
import subprocess
import time
import unittest

import programs
from scenario import Scenario

# Every how manieth call fails, of those that write, make durable, put into place and read.
FAULTS = (
    "fsync,fdatasync:error=EIO:when=1+3",
    "pwrite64:error=EIO:when=2+5",
    "renameat2,linkat,unlinkat:error=EIO:when=1+2",
    "openat2:error=EIO:when=3+4",
    "pread64:error=EIO:when=2+3",
    "pwrite64,fallocate,ftruncate:error=ENOSPC:when=1+2",
)


class DiskErrorTests(Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()
        self.random = random.Random(1)
        self.expected = {}

    def save_on_both(self, part):
        for number in range(6):
            for device in (self.laptop, self.desktop):
                path = f"{part} of {device.name} {number}"
                content = self.random.randbytes(self.random.choice((0, 40, 5_000, 300_000)))
                programs.save(device.path(path), content)
                self.expected[path] = content
            time.sleep(0.02)

    def assert_all_there(self):
        # While it cannot write its state it says so, and tries again.
        programs.until(
            lambda: self.desktop.attempt("wait", "--timeout", "5").returncode == 0,
            "it goes on by itself", 60, pause=0.2)
        self.settle(self.laptop, self.desktop)
        self.assert_same(self.laptop, self.desktop)
        for path, content in self.expected.items():
            self.assert_content(self.desktop, path, content)

    def test_a_disk_that_fails_for_a_while(self):
        self.save_on_both("before")
        self.assert_all_there()
        for number, fault in enumerate(FAULTS):
            with self.subTest(fault=fault):
                tracer = self.inject(fault)
                self.save_on_both(f"during {number}")
                time.sleep(0.3)
                tracer.send_signal(signal.SIGINT)
                tracer.wait()
                # It may end rather than go on with a state that it cannot make durable.
                if not self.desktop.process.is_running():
                    self.desktop.start()
                self.save_on_both(f"after {number}")
                self.assert_all_there()

    def inject(self, fault):
        errors = os.path.join(self.folder, "strace.log")
        with open(errors, "wb") as log:
            tracer = subprocess.Popen(
                ["strace", "-f", "-o", "/dev/null", "-e", f"inject={fault}",
                 "-p", str(self.desktop.process.pid)], stderr=log)
        self.addCleanup(tracer.kill)

        def is_attached():
            with open(errors, encoding="utf-8") as log:
                text = log.read()
            if tracer.poll() is not None and "not permitted" in text:
                self.skipTest("this machine lets nobody trace")
            return "attached" in text

        programs.until(is_attached, "strace is attached")
        return tracer

    def test_no_room_for_anything(self):
        """Neither the state nor a file can grow; then there is room again."""
        tablet = programs.Device(self.folder, "tablet")
        self.mount(tablet.home, "32m")
        self.addCleanup(tablet.kill)
        tablet.join(self.cloud)
        tablet.start()
        for number in range(20):
            programs.save(tablet.path(f"of the tablet {number}"), b"before")
        programs.settle([self.laptop, tablet])
        filler = os.path.join(tablet.home, "filler")
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        for number in range(20):
            path = f"of the laptop {number}"
            self.expected[path] = self.random.randbytes(30_000)
            programs.save(self.laptop.path(path), self.expected[path])
            # As long as before: it needs no room.
            path = f"of the tablet {number}"
            self.expected[path] = b"after!"
            with open(tablet.path(path), "r+b") as file:
                file.read()
                file.seek(0)
                file.write(self.expected[path])
        time.sleep(1)
        self.assertTrue(tablet.process.is_running(), tablet.process.printed())
        os.remove(filler)
        programs.until(
            lambda: tablet.attempt("wait", "--timeout", "5").returncode == 0,
            "it goes on by itself", 60, pause=0.2)
        programs.settle([self.laptop, tablet, self.desktop])
        self.assert_all_there()
        self.assert_same(self.laptop, tablet)


if __name__ == "__main__":
    unittest.main()
