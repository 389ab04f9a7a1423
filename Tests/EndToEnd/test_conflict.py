"""Edits that were made apart become two heads, both kept, until somebody chooses."""

import concurrent.futures
import os
import time
import unittest

import programs
from scenario import Scenario

FIRST = b"# Plan\n\nMeet at noon.\n"
LAPTOP = b"# Plan\n\nMeet at ten.\n"
DESKTOP = b"# Plan\n\nMeet at two.\n"


class ConflictTests(Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()
        names = ("shared.md", "of the laptop.md", "of the desktop.md")
        for name in names:
            programs.save(self.laptop.path(name), FIRST)
        self.settle(self.laptop, self.desktop)
        # An edit is made from what its author has read.
        for name in names:
            self.assert_content(self.desktop, name, FIRST)

    def edit_apart(self):
        programs.save(self.laptop.path("shared.md"), LAPTOP)
        programs.save(self.laptop.path("of the laptop.md"), LAPTOP)
        programs.save(self.desktop.path("shared.md"), DESKTOP)
        programs.save(self.desktop.path("of the desktop.md"), DESKTOP)

    def test_the_cloud_was_away(self):
        self.cloud.end()
        self.edit_apart()
        for device in (self.laptop, self.desktop):
            done = device.attempt("wait", "--timeout", "1")
            self.assertEqual(done.returncode, 1, "pending edits are no sync")
            self.assertIn(b"shared.md", done.stdout + done.stderr)
            self.assertEqual(device.json("status")["state"], "offline")
        self.cloud.start()
        self.check_conflict_and_its_end()

    def test_the_daemons_were_away(self):
        for device in (self.laptop, self.desktop):
            device.end()
        self.edit_apart()
        for device in (self.laptop, self.desktop):
            device.start()
        self.check_conflict_and_its_end()

    def check_conflict_and_its_end(self):
        devices = (self.laptop, self.desktop)
        self.settle(*devices)
        conflicts = [device.json("conflicts")["conflicts"] for device in devices]
        for found, device in zip(conflicts, devices):
            self.assertEqual(
                [conflict["path"].rsplit("/", 1)[-1] for conflict in found], ["shared.md"])
            self.assertEqual(device.json("status")["conflicts"], 1)
            self.assertEqual(device.attempt("status").returncode, 3)
        heads = [{head["version"]: head for head in found[0]["heads"]} for found in conflicts]
        self.assertEqual(len(heads[0]), 2)
        self.assertEqual(heads[0].keys(), heads[1].keys())
        self.assertEqual(
            {head["device"] for head in heads[0].values()}, {"laptop", "desktop"})
        for device, own in zip(devices, heads):
            texts = {
                device.command("cat", device.path("shared.md"), "--version", version)
                for version in own}
            self.assertEqual(texts, {LAPTOP, DESKTOP})
            self.assertEqual([head["shown"] for head in own.values()].count(True), 1)
        self.check_different_notes()
        self.check_resolve(heads[0])

    def check_different_notes(self):
        for device in (self.laptop, self.desktop):
            self.assert_content(device, "of the laptop.md", LAPTOP)
            self.assert_content(device, "of the desktop.md", DESKTOP)
            self.assert_names(device, ["shared.md", "of the laptop.md", "of the desktop.md"])
        self.assert_same(self.laptop, self.desktop)

    def check_resolve(self, heads):
        kept = next(head for head in heads.values() if head["device"] == "laptop")
        self.desktop.command(
            "resolve", self.desktop.path("shared.md"), "--keep", kept["version"])
        self.assert_content(self.desktop, "shared.md", LAPTOP)
        self.settle(self.desktop, self.laptop)
        for device in (self.laptop, self.desktop):
            self.assertEqual(device.json("conflicts")["conflicts"], [])
            self.assert_content(device, "shared.md", LAPTOP)
            self.assertEqual(device.attempt("status").returncode, 0)
        self.check_different_notes()
        # What was not chosen stays readable.
        lost = next(version for version in heads if version != kept["version"])
        self.assertEqual(
            self.laptop.command("cat", self.laptop.path("shared.md"), "--version", lost), DESKTOP)

    def test_a_version_that_came_since_is_not_dropped(self):
        self.cloud.end()
        self.edit_apart()
        self.cloud.start()
        self.settle(self.laptop, self.desktop)
        path = self.desktop.path("shared.md")
        kept = next(
            head["version"] for head in self.desktop.json("conflicts")["conflicts"][0]["heads"]
            if head["device"] == "desktop")
        # Another one is saved at the other side; nobody at the desktop sees it.
        programs.save(self.laptop.path("shared.md"), LAPTOP + b"And bring the map.\n")
        self.settle(self.laptop, self.desktop)
        done = self.desktop.attempt("resolve", path, "--keep", kept)
        self.assert_says_why(done, "nobody here has seen", "of laptop", "given again")
        self.settle(self.desktop, self.laptop)
        self.assertEqual(self.desktop.json("status")["conflicts"], 1)
        self.desktop.command("resolve", path, "--keep", kept)
        self.settle(self.desktop, self.laptop)
        self.assertEqual(self.laptop.json("conflicts")["conflicts"], [])
        self.assert_content(self.laptop, "shared.md", DESKTOP)

    def test_both_keep_both_at_once(self):
        self.cloud.end()
        self.edit_apart()
        self.cloud.start()
        devices = (self.laptop, self.desktop)
        self.settle(*devices)
        heads = self.laptop.json("conflicts")["conflicts"][0]["heads"]
        own = {head["device"]: head["version"] for head in heads}
        with concurrent.futures.ThreadPoolExecutor() as pool:
            done = list(pool.map(
                lambda device: device.attempt(
                    "resolve", device.path("shared.md"), "--keep", own[device.name], "--both"),
                devices))
        self.assertIn(0, [each.returncode for each in done])
        self.settle(*devices)
        names = ["shared.md", "shared 2.md", "of the laptop.md", "of the desktop.md"]
        for device in devices:
            self.assertEqual(device.json("conflicts")["conflicts"], [])
            self.assert_names(device, names)
            self.assertEqual(
                {programs.read_if_there(device.path(name)) for name in names[:2]},
                {LAPTOP, DESKTOP})
        self.assert_same(*devices)

    def test_the_next_save_is_no_conflict(self):
        for number in range(10):
            writer, reader = (self.laptop, self.desktop)[:: 1 if number % 2 else -1]
            text = FIRST + b"line %d\n" % number
            programs.save(writer.path("shared.md"), text)
            programs.until(
                lambda: programs.read_if_there(reader.path("shared.md")) == text,
                "the other device has it")
        self.settle(self.laptop, self.desktop)
        for device in (self.laptop, self.desktop):
            self.assertEqual(device.json("conflicts")["conflicts"], [])

    def test_what_arrives_and_is_overwritten_unread_is_kept(self):
        saves = (programs.save, programs.write_durably)
        names = [f"{number}.md" for number in range(20)]
        for number, name in enumerate(names):
            programs.save(self.laptop.path(name), FIRST + LAPTOP)
            programs.until(
                lambda: os.path.exists(self.desktop.path(name)), "it arrives", pause=0.0005)
            time.sleep((0, 0.001, 0.005, 0.02)[number // 2 % 4])
            saves[number % 2](self.desktop.path(name), FIRST + DESKTOP)
        self.settle(self.laptop, self.desktop)
        for device in (self.laptop, self.desktop):
            found = {
                os.path.basename(conflict["path"])
                for conflict in device.json("conflicts")["conflicts"]}
            self.assertEqual(found, set(names))


if __name__ == "__main__":
    unittest.main()
