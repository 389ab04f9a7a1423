"""Long files: only what changed travels, kills cost little, and nobody waits for them."""

import os
import random
import shutil
import signal
import time

import programs
import scenario
import transfers

MEBIBYTE = transfers.MEBIBYTE


class Transfers(scenario.Scenario):
    def counted_devices(self):
        """Two devices whose bytes are counted on their way."""
        self.start_cloud()
        self.wire = transfers.Wire(self.cloud)
        self.addCleanup(self.wire.close)
        devices = []
        for name in ("laptop", "desktop"):
            device = programs.Device(self.folder, name)
            self.addCleanup(device.kill)
            device.join(self.wire)
            device.start()
            devices.append(device)
        self.settle(*devices)
        return devices

    def cost(self, one, other, name, change):
        """The bytes of both ways until a change is on the other device, checked there."""
        before = self.wire.total
        change(one.path(name))
        transfers.cross(one, other, name, 120)
        self.settle(one, other)
        return self.wire.total - before

    def test_a_change_of_a_long_file_costs_what_it_touches(self):
        one, other = self.counted_devices()
        size = 16 * MEBIBYTE
        first = self.cost(one, other, "long", lambda path: transfers.write_noise(path, size))
        self.assertLess(first, 2.1 * size)
        front = self.cost(one, other, "long", lambda path: transfers.put_in_front(path, b"x"))
        self.assertLess(front, 600_000)
        middle = self.cost(
            one, other, "long", lambda path: transfers.overwrite(path, size // 2, b"changed"))
        self.assertLess(middle, 600_000)
        oldest = one.json("versions", one.path("long"))["versions"][-1]
        again = one.command("cat", one.path("long"), "--version", oldest["version"])
        self.assertEqual(len(again), size)
        with open(one.path("long"), "rb") as file:
            self.assertEqual(again[:4096], file.read(4097)[1:])
        # A copy is put together from what is there, and a part of it that is cut off too.
        copy = self.cost(
            one, other, "copy", lambda path: shutil.copyfile(one.path("long"), path))
        self.assertLess(copy, 100_000)
        part = self.cost(one, other, "copy", lambda path: os.truncate(path, size // 2))
        self.assertLess(part, 600_000)

    def test_holes_stay_holes(self):
        one, other = self.counted_devices()
        size = 200 * MEBIBYTE

        def write(path):
            with open(path + "~", "wb") as file:
                file.truncate(size)
                file.seek(size // 2)
                file.write(b"data")
            os.rename(path + "~", path)

        self.assertLess(self.cost(one, other, "sparse", write), 1_500_000)
        self.assertLess(os.stat(other.path("sparse")).st_blocks * 512, MEBIBYTE)

    def test_a_kill_has_little_sent_again(self):
        one, other = self.counted_devices()
        size = 32 * MEBIBYTE
        sent, brought = self.wire.to_server, self.wire.to_devices
        transfers.write_noise(one.path("long"), size)
        for victim, moved, goal in (
                (self.cloud, lambda: self.wire.to_server - sent, size // 4),
                (one, lambda: self.wire.to_server - sent, size // 2),
                (self.cloud, lambda: self.wire.to_devices - brought, size // 4),
                (other, lambda: self.wire.to_devices - brought, size // 2)):
            programs.until(
                lambda: moved() >= goal or transfers.crossed(one.path("long"), other.path("long")),
                "it goes on", 60, 0.001)
            victim.kill()
            victim.start()
        transfers.cross(one, other, "long", 120)
        self.settle(one, other)
        self.assertEqual(len(one.json("versions", one.path("long"))["versions"]), 1)
        # For each of two kills what may be under way, and a margin for what is no content.
        self.assertLess(self.wire.to_server - sent, size + 2 * MEBIBYTE)
        self.assertLess(self.wire.to_devices - brought, size + 3 * MEBIBYTE)
        for device in (one, other):
            for folder in ("chunks", "downloads", "staging"):
                path = os.path.join(device.home, ".ubiquity", folder)
                programs.until(lambda: not os.listdir(path), f"{folder} is empty")

    def test_kills_of_both_ends_at_once_cost_little(self):
        figures = transfers.kills(self.folder, 24 * MEBIBYTE, 3)
        self.assertEqual((figures["versions"], figures["numbers"]), (1, 1))
        for way in ("up", "down"):
            # What may be under way when both die, and what a start asks.
            again = figures[f"chunks_again_{way}"] * figures["mean_chunk"]
            self.assertLess(again, 3 * 1.25 * MEBIBYTE, way)

    def test_a_note_does_not_wait_for_a_long_file(self):
        one, other = self.two_devices()
        transfers.write_noise(one.path("long"), 64 * MEBIBYTE)
        notes = 0
        while not transfers.crossed(one.path("long"), other.path("long")):
            programs.save(one.path(f"note {notes}"), b"%d" % notes)
            programs.until(lambda: os.path.exists(other.path(f"note {notes}")), "the note is there")
            notes += 1
            time.sleep(0.1)
        self.assertGreater(notes, 2)
        transfers.cross(one, other, "long")

    def test_nothing_waits_for_a_file_of_holes(self):
        one, other = self.two_devices()
        with open(one.path("holes"), "wb") as file:
            file.truncate(4 << 40)
        time.sleep(1)
        transfers.write_noise(one.path("photo"), MEBIBYTE)
        transfers.write_noise(one.path("film"), 20 * MEBIBYTE, 2)
        programs.save(one.path("note"), b"a note")
        for name in ("note", "photo", "film"):
            transfers.cross(one, other, name, 20)
        self.assertFalse(os.path.exists(other.path("holes")))
        os.remove(one.path("holes"))
        self.settle(one, other)

    def version_that_nobody_read(self, one, other):
        """A long file that the other device has in two versions, and has read the first of."""
        transfers.write_noise(one.path("long"), 8 * MEBIBYTE)
        self.settle(one, other)
        self.read(other.path("long"))
        time.sleep(0.2)
        transfers.overwrite(one.path("long"), 4 * MEBIBYTE, b"changed")
        transfers.cross(one, other, "long")
        # To compare is to read.
        transfers.overwrite(one.path("long"), 6 * MEBIBYTE, b"changed again")
        self.settle(one, other)
        time.sleep(0.2)

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def save_unread(self, one, other):
        """The other device's program writes over the file; how many conflicts come of it."""
        with open(other.path("long"), "wb") as file:
            file.write(b"written without reading" * 100_000)
        self.settle(one, other)
        return len(other.json("conflicts")["conflicts"])

    def begin_copy(self, one, other):
        """The other device takes half of a long content from the file, and waits for the rest."""
        other.process.child.send_signal(signal.SIGSTOP)
        with open(one.path("copy.tmp"), "wb") as file:
            file.write(self.read(one.path("long")))
            file.write(random.Random(9).randbytes(64 * MEBIBYTE))
        os.rename(one.path("copy.tmp"), one.path("copy"))
        one.wait()
        other.process.child.send_signal(signal.SIGCONT)
        folder = os.path.join(other.home, ".ubiquity", "downloads")
        programs.until(
            lambda: any(os.path.getsize(os.path.join(folder, name)) > 9 * MEBIBYTE
                        for name in os.listdir(folder)), "it is on its way", 20, 0.001)
        self.cloud.process.child.send_signal(signal.SIGSTOP)
        self.assertFalse(os.path.exists(other.path("copy")))

    def end_copy(self, one, other):
        self.cloud.process.child.send_signal(signal.SIGCONT)
        self.settle(one, other)
        self.assertTrue(transfers.same(one.path("copy"), other.path("copy")))
        time.sleep(0.2)

    def test_who_reads_a_file_while_chunks_are_taken_from_it_is_seen(self):
        one, other = self.two_devices()
        self.version_that_nobody_read(one, other)
        self.begin_copy(one, other)
        self.read(other.path("long"))
        time.sleep(0.2)
        self.end_copy(one, other)
        self.assertEqual(self.save_unread(one, other), 0)

    def test_taking_chunks_from_a_file_is_not_reading_it(self):
        one, other = self.two_devices()
        self.version_that_nobody_read(one, other)
        self.begin_copy(one, other)
        self.end_copy(one, other)
        self.assertEqual(self.save_unread(one, other), 1)

    def device_far_away(self, **how):
        """A device that the server's bytes come to as a wire brings them."""
        self.wire = transfers.Wire(self.cloud, **how)
        self.addCleanup(self.wire.close)
        device = programs.Device(self.folder, "far")
        self.addCleanup(device.kill)
        device.join(self.wire)
        device.start()
        return device

    def test_what_is_not_wanted_any_more_does_not_come(self):
        self.start_cloud()
        one, other = self.device("laptop"), self.device_far_away(pace=4 * MEBIBYTE)
        downloads = os.path.join(other.home, ".ubiquity", "downloads")
        transfers.write_noise(one.path("long"), 64 * MEBIBYTE)
        programs.until(lambda: self.wire.to_devices > 4 * MEBIBYTE, "it is on its way")
        os.remove(one.path("long"))
        self.settle(one, other)
        self.assertLess(self.wire.to_devices, 32 * MEBIBYTE)
        programs.until(lambda: not os.listdir(downloads), "nothing is left of it")
        # What is replaced is not gone on with, and what both have of it does not come again.
        before = self.wire.to_devices
        transfers.write_noise(one.path("long"), 24 * MEBIBYTE, 2)
        programs.until(lambda: self.wire.to_devices - before > 8 * MEBIBYTE, "it is on its way")
        transfers.put_in_front(one.path("long"), b"x")
        transfers.cross(one, other, "long", 60)
        self.settle(one, other)
        self.assertLess(self.wire.to_devices - before, 27 * MEBIBYTE)
        programs.until(lambda: not os.listdir(downloads), "nothing is left of it")

    def test_while_one_answer_is_late_little_is_brought(self):
        self.start_cloud()
        one = self.device("laptop")
        other = self.device_far_away(stalls_after=4 * MEBIBYTE)
        size = 48 * MEBIBYTE
        transfers.write_noise(one.path("long"), size)
        programs.until(lambda: self.wire.has_stalled, "an answer is late")
        time.sleep(3)
        self.assertLess(self.wire.to_devices, 6 * MEBIBYTE)
        other.kill()
        self.wire.released.set()
        other.start()
        transfers.cross(one, other, "long", 60)
        self.assertLess(self.wire.to_devices, size + 2 * MEBIBYTE)
