"""A device's own state that is damaged: it begins anew, from the disk and the server."""

import glob
import os

import programs
from scenario import Scenario


class DamagedTests(Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()
        for number in range(40):
            programs.save(self.laptop.path(f"{number}.md"), b"text %d\n" % number)
        os.makedirs(self.laptop.path("folder"))
        programs.save(self.laptop.path("folder/long.bin"), os.urandom(400_000))
        self.laptop.command("kv", "set", "key", "value")
        self.settle(self.laptop, self.desktop)

    def state(self, device, name="state.db"):
        return os.path.join(device.home, ".ubiquity", name)

    def damaged(self, device):
        return sorted(os.path.basename(path) for path in glob.glob(
            self.state(device, "state.db.damaged-*")))

    def damage(self, device, start, count):
        """Noise in the file; what was in its log goes into it first."""
        size = os.path.getsize(self.state(device))
        with open(self.state(device), "r+b") as file:
            file.seek(min(start, size - count))
            file.write(os.urandom(count))
        for end in ("-wal", "-shm"):
            if os.path.exists(self.state(device) + end):
                os.remove(self.state(device) + end)

    def expect_all_is_well(self):
        self.settle(self.laptop, self.desktop)
        self.assert_same(self.laptop, self.desktop)
        self.assertEqual(self.desktop.json("conflicts")["conflicts"], [])
        self.assertEqual(self.desktop.command("kv", "get", "key"), b"value\n")

    def test_what_was_written_meanwhile_goes_on(self):
        for start, count in ((0, 100), (40_000, 20_000), (4_096, 4_096)):
            with self.subTest(start=start):
                self.desktop.end()
                before = len(self.damaged(self.desktop))
                self.damage(self.desktop, start, count)
                programs.save(self.desktop.path(f"made at {start}.md"), b"new\n")
                programs.save(self.laptop.path(f"come at {start}.md"), b"come\n")
                self.desktop.start()
                self.expect_all_is_well()
                self.assert_content(self.laptop, f"made at {start}.md", b"new\n")
                self.assert_content(self.desktop, f"come at {start}.md", b"come\n")
                self.assertGreater(len(self.damaged(self.desktop)), before)

    def test_a_state_that_is_gone_or_empty(self):
        self.desktop.end()
        os.remove(self.state(self.desktop))
        self.desktop.start()
        self.expect_all_is_well()
        self.desktop.end()
        with open(self.state(self.desktop), "wb"):
            pass
        for end in ("-wal", "-shm"):
            if os.path.exists(self.state(self.desktop) + end):
                os.remove(self.state(self.desktop) + end)
        self.desktop.start()
        self.expect_all_is_well()

    def test_both_texts_stay_where_both_were_changed(self):
        self.desktop.end()
        programs.save(self.desktop.path("1.md"), b"of the desktop\n")
        programs.save(self.laptop.path("1.md"), b"of the laptop\n")
        self.laptop.wait()
        self.damage(self.desktop, 0, 100)
        self.desktop.start()
        self.settle(self.laptop, self.desktop)
        heads = self.laptop.json("conflicts")["conflicts"][0]["heads"]
        path = self.laptop.path("1.md")
        texts = {self.laptop.command("cat", path, "--version", head["version"]) for head in heads}
        self.assertEqual(texts, {b"of the desktop\n", b"of the laptop\n"})

    def test_what_was_changed_elsewhere_is_beside_what_is_here(self):
        """Nobody knows any more that what lies here is older; it is a choice, and nothing goes."""
        self.desktop.end()
        programs.save(self.laptop.path("1.md"), b"text 1\nand more\n")
        os.remove(self.laptop.path("2.md"))
        os.rename(self.laptop.path("3.md"), self.laptop.path("three.md"))
        self.laptop.wait()
        self.damage(self.desktop, 0, 100)
        self.desktop.start()
        self.settle(self.laptop, self.desktop)
        self.assert_same(self.laptop, self.desktop)
        self.assert_content(self.desktop, "1.md", b"text 1\nand more\n")
        conflicts = self.desktop.json("conflicts")["conflicts"]
        self.assertEqual(
            [row["path"] for row in conflicts], [self.desktop.path("1.md")])
        texts = {
            self.laptop.command("cat", self.laptop.path("1.md"), "--version", head["version"])
            for head in conflicts[0]["heads"]}
        self.assertEqual(texts, {b"text 1\n", b"text 1\nand more\n"})
        for name, text in (("2.md", b"text 2\n"), ("three.md", b"text 3\n")):
            self.assert_content(self.laptop, name, text)

    def test_a_kill_while_it_is_put_aside(self):
        self.desktop.end()
        number = 7
        with open(self.state(self.desktop, "state.damaged"), "w", encoding="utf-8") as file:
            file.write(f"{number}\nhalf of it has moved\n")
        if os.path.exists(self.state(self.desktop, "state.db-wal")):
            os.rename(
                self.state(self.desktop, "state.db-wal"),
                self.state(self.desktop, f"state.db.damaged-{number}-wal"))
        self.desktop.start()
        self.expect_all_is_well()
        self.assertIn(f"state.db.damaged-{number}", self.damaged(self.desktop))
        self.assertFalse(os.path.exists(self.state(self.desktop, "state.damaged")))

    def test_what_was_evicted_is_not_taken_for_a_file(self):
        path = self.desktop.path("folder/long.bin")
        self.desktop.command("evict", path)
        self.desktop.end()
        self.damage(self.desktop, 0, 100)
        self.desktop.start()
        self.settle(self.laptop, self.desktop)
        self.assertEqual(os.listdir(self.laptop.path("folder")), ["long.bin"])

    def test_leaving_with_a_damaged_state(self):
        self.desktop.end()
        self.damage(self.desktop, 0, 100)
        self.desktop.command("leave")
        self.desktop.start()
        self.assertEqual(self.desktop.json("status")["state"], "signed out")
        self.assert_content(self.desktop, "1.md", b"text 1\n")
