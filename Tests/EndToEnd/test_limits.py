"""Limits of bytes a second: shared by all transfers, kept over a restart, and no note waits."""

import os
import time

import programs
import scenario
import transfers

MEBIBYTE = transfers.MEBIBYTE
LIMIT = MEBIBYTE


class Limits(scenario.Scenario):
    def cross(self, one, other, names):
        """Notes that are made and edited until the long files have crossed: the seconds of each."""
        begun = time.monotonic()
        delays = []
        number = 0
        while not all(transfers.crossed(one.path(name), other.path(name)) for name in names):
            self.assertLess(time.monotonic() - begun, 60)
            text = b"a line\n" * (number + 1)
            saved = time.monotonic()
            programs.save(one.path(f"note {number % 3}.md"), text)
            programs.until(
                lambda: programs.read_if_there(other.path(f"note {number % 3}.md")) == text,
                "the note is there", 20)
            delays.append(time.monotonic() - saved)
            number += 1
            time.sleep(0.2)
        for name in names:
            self.assertTrue(transfers.same(one.path(name), other.path(name)))
        return time.monotonic() - begun, sorted(delays)

    def expect_limited(self, one, other):
        """Two files share what one limit lets through; the first chunks go at once."""
        for number in range(2):
            transfers.write_noise(one.path(f"long {number}"), 3 * MEBIBYTE, number)
        seconds, delays = self.cross(one, other, ["long 0", "long 1"])
        self.assertGreater(seconds, 4.5)
        self.assertLess(seconds, 30)
        # Most are there at once; one may wait for a busy machine.
        self.assertLess(delays[len(delays) * 3 // 4], 1)
        for number in range(2):
            os.remove(one.path(f"long {number}"))
        self.settle(one, other)

    def test_what_is_sent_is_limited(self):
        one, other = self.two_devices()
        one.command("limit", "--up", "1M")
        self.assertEqual(one.json("status")["limitUp"], LIMIT)
        self.expect_limited(one, other)
        one.end()
        one.start()
        self.assertEqual(one.json("status")["limitUp"], LIMIT)
        self.assertIn(f"{LIMIT} bytes", one.command("limit").decode())

    def test_what_is_fetched_is_limited(self):
        one, other = self.two_devices()
        other.command("limit", "--down", "1M")
        other.end()
        other.start()
        self.expect_limited(one, other)

    def test_a_limit_ends_while_something_waits_for_it(self):
        one, other = self.two_devices()
        one.command("limit", "--up", "16K")
        transfers.write_noise(one.path("long"), 8 * MEBIBYTE)
        time.sleep(2)
        self.assertFalse(transfers.crossed(one.path("long"), other.path("long")))
        one.command("limit", "--up", "off")
        self.assertEqual(one.json("status")["limitUp"], 0)
        # What is under way keeps its pace; the rest does not.
        transfers.cross(one, other, "long", 60)

    def test_many_notes_under_a_limit_come_too(self):
        one, other = self.two_devices()
        one.command("limit", "--up", "64K")
        for number in range(40):
            programs.save(one.path(f"{number}.md"), os.urandom(4096).hex().encode())
        begun = time.monotonic()
        self.settle(one, other)
        self.assertGreater(time.monotonic() - begun, 1)
        self.assert_same(one, other)

    def test_what_is_no_limit_is_refused(self):
        self.start_cloud()
        one = self.device("laptop")
        for words in (["--up", "fast"], ["--down", "0"], ["--up", "-1"], ["--up"]):
            self.assertEqual(one.attempt("limit", *words).returncode, 2, words)
        self.assert_says_why(one.attempt("limit", "--up", "1K"), "at least")
