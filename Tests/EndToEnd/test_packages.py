"""Packages: folders that are one document, whole or not at all on every device."""

import os
import shutil
import time
import unittest

import programs
import transfers
from scenario import Scenario

MEBIBYTE = transfers.MEBIBYTE
TEXT = b"# Title\n\none\n\ntwo\n\nthree\n"


def write(folder, members):
    """Writes the members of a package; None takes one out."""
    for path, content in members.items():
        whole = os.path.join(folder, path)
        if content is None:
            os.unlink(whole)
            continue
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "wb") as file:
            file.write(content)


def read(folder):
    """The files of a package by their paths; nothing if it is not there."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


class PackageTests(Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()
        self.document = {"text.md": TEXT, "assets/a.png": b"\x89\x00A", "info.json": b"{}"}

    def make(self, name):
        write(self.laptop.path(name), self.document)
        self.settle(self.laptop, self.desktop)
        self.assertEqual(read(self.desktop.path(name)), self.document)

    def row(self, device, name):
        rows = device.json("ls", device.documents)["items"]
        return next((row for row in rows if row["path"].endswith("/" + name)), None)

    def apart(self, change, other_change):
        """Changes on both devices while the cloud is away."""
        self.cloud.end()
        change(self.laptop)
        other_change(self.desktop)
        time.sleep(3)
        self.cloud.start()
        self.settle(self.laptop, self.desktop)

    # What people do with one.

    def test_a_package_is_one_item(self):
        self.make("note.textbundle")
        self.assertEqual(self.row(self.desktop, "note.textbundle")["kind"], "package")
        rows = self.desktop.json("ls", self.desktop.documents)["items"]
        self.assertEqual(len(rows), 1)
        self.assert_same(self.laptop, self.desktop)
        why = self.desktop.command("why", self.desktop.path("note.textbundle/text.md"))
        self.assertIn(b"part of the package", why)
        found = self.desktop.json("find", "kMDItemFSName == 'note.textbundle'")["items"]
        self.assertEqual([row["kind"] for row in found], ["package"])
        versions = self.desktop.json("versions", self.desktop.path("note.textbundle"))["versions"]
        self.assertEqual(len(versions), 1)

    def test_a_save_of_several_members_is_one_version(self):
        self.make("note.rtfd")
        for number in range(4):
            write(self.laptop.path("note.rtfd"),
                  {f"part {number}": b"x", "text.md": b"%d" % number})
            time.sleep(1.2)
        self.settle(self.laptop, self.desktop)
        self.assert_same(self.laptop, self.desktop)
        versions = self.desktop.json("versions", self.desktop.path("note.rtfd"))["versions"]
        self.assertEqual(len(versions), 2)

    def test_a_save_that_replaces_the_whole_folder(self):
        self.make("note.rtfd")
        path = self.laptop.path("note.rtfd")
        for number in range(2):
            write(path + ".tmp", {"text.md": b"saved %d" % number, "new/in": b"1"})
            os.rename(path, path + "~")
            os.rename(path + ".tmp", path)
            shutil.rmtree(path + "~")
            self.settle(self.laptop, self.desktop)
            self.assertEqual(
                read(self.desktop.path("note.rtfd")),
                {"text.md": b"saved %d" % number, "new/in": b"1"})
        versions = self.desktop.json("versions", self.desktop.path("note.rtfd"))["versions"]
        self.assertEqual(len(versions), 3)
        self.assertEqual(self.desktop.json("trash")["items"], [])

    def test_members_come_and_go_and_get_other_names(self):
        self.make("note.textbundle")
        path = self.laptop.path("note.textbundle")
        write(path, {"assets/b.png": b"B", "deep/er/and/deeper": b"D", "info.json": None})
        os.rename(os.path.join(path, "text.md"), os.path.join(path, "text.txt"))
        os.symlink("text.txt", os.path.join(path, "link"))
        os.mkdir(os.path.join(path, "empty"), 0o750)
        os.chmod(os.path.join(path, "assets/a.png"), 0o600)
        write(path, {"text.txt~": b"of this device", ".DS_Store": b"too"})
        self.settle(self.laptop, self.desktop)
        for name in ("text.txt~", ".DS_Store"):
            self.assertFalse(os.path.exists(self.desktop.path("note.textbundle/" + name)))
            os.unlink(os.path.join(path, name))
        self.assert_same(self.laptop, self.desktop)

    def test_a_package_is_moved_deleted_and_restored_as_one(self):
        self.make("note.rtfd")
        os.mkdir(self.laptop.path("folder"))
        os.rename(self.laptop.path("note.rtfd"), self.laptop.path("folder/plain name"))
        self.settle(self.laptop, self.desktop)
        self.assert_same(self.laptop, self.desktop)
        # Its kind never changes, whatever its name is.
        write(self.desktop.path("folder/plain name"), {"text.md": b"of the desktop"})
        self.settle(self.laptop, self.desktop)
        self.assertEqual(
            read(self.laptop.path("folder/plain name"))["text.md"], b"of the desktop")
        shutil.rmtree(self.laptop.path("folder/plain name"))
        self.settle(self.laptop, self.desktop)
        self.assert_names(self.desktop, ["folder"])
        trash = self.desktop.json("trash")["items"]
        self.assertEqual(len(trash), 1)
        self.desktop.command("trash", "restore", trash[0]["item"])
        self.settle(self.laptop, self.desktop)
        self.assertEqual(
            read(self.laptop.path("folder/plain name")),
            {**self.document, "text.md": b"of the desktop"})
        self.assert_same(self.laptop, self.desktop)

    def test_an_old_version_comes_back_whole(self):
        self.make("note.rtfd")
        write(self.laptop.path("note.rtfd"), {"text.md": b"other", "info.json": None})
        self.settle(self.laptop, self.desktop)
        path = self.desktop.path("note.rtfd")
        self.assertEqual(read(path), {"text.md": b"other", "assets/a.png": b"\x89\x00A"})
        oldest = self.desktop.json("versions", path)["versions"][-1]["version"]
        done = self.desktop.attempt("restore", path, "--version", oldest)
        if done.returncode:
            self.desktop.command("restore", path, "--version", oldest)
        self.settle(self.laptop, self.desktop)
        self.assertEqual(read(self.laptop.path("note.rtfd")), self.document)
        self.assert_same(self.laptop, self.desktop)

    # Changed apart.

    def test_text_bundles_merge_member_by_member(self):
        self.make("note.textbundle")
        self.apart(
            lambda device: write(
                device.path("note.textbundle"),
                {"text.md": TEXT.replace(b"one", b"ONE"), "info.json": None}),
            lambda device: write(
                device.path("note.textbundle"),
                {"text.md": TEXT.replace(b"three", b"THREE"), "assets/b.png": b"B"}))
        merged = {
            "text.md": TEXT.replace(b"one", b"ONE").replace(b"three", b"THREE"),
            "assets/a.png": b"\x89\x00A", "assets/b.png": b"B"}
        for device in (self.laptop, self.desktop):
            self.assertEqual(read(device.path("note.textbundle")), merged)
            self.assertEqual(device.json("status")["conflicts"], 0)
        self.assert_same(self.laptop, self.desktop)

    def test_a_buffer_that_was_read_before_takes_no_line_of_the_other_device(self):
        for name, conflicts in (("note.textbundle", 0), ("note.rtfd", 1)):
            self.make(name)
            old = read(self.desktop.path(name))["text.md"]
            write(self.laptop.path(name), {"text.md": TEXT.replace(b"one", b"ONE")})
            self.settle(self.laptop, self.desktop)
            # It is there, and nobody on the desktop has looked.
            write(self.desktop.path(name), {"text.md": old.replace(b"three", b"THREE")})
            time.sleep(3)
            self.settle(self.laptop, self.desktop)
            self.assertEqual(self.desktop.json("status")["conflicts"], conflicts)
            text = TEXT.replace(b"one", b"ONE")
            if not conflicts:
                text = text.replace(b"three", b"THREE")
            for device in (self.laptop, self.desktop):
                self.assertEqual(read(device.path(name))["text.md"], text)

    def test_a_package_in_which_something_is_written_for_ever_is_sent_at_last(self):
        package = self.laptop.path("note.textbundle")
        write(package, {"text.md": TEXT})
        end = time.monotonic() + 120
        while not os.path.exists(self.desktop.path("note.textbundle/text.md")):
            self.assertLess(time.monotonic(), end, "it never came")
            with open(os.path.join(package, "log"), "ab") as log:
                log.write(b"x\n")
            time.sleep(1)

    def test_other_packages_stay_whole_until_somebody_chooses(self):
        self.make("note.rtfd")
        self.apart(
            lambda device: write(device.path("note.rtfd"), {"text.md": b"of the laptop"}),
            lambda device: write(device.path("note.rtfd"), {"info.json": b"of the desktop"}))
        wholes = [{**self.document, "text.md": b"of the laptop"},
                  {**self.document, "info.json": b"of the desktop"}]
        shown = read(self.laptop.path("note.rtfd"))
        self.assertIn(shown, wholes)
        self.assertEqual(read(self.desktop.path("note.rtfd")), shown)
        conflict = self.desktop.json("conflicts")["conflicts"][0]
        self.assertEqual(len(conflict["heads"]), 2)
        other = next(head for head in conflict["heads"] if not head["shown"])
        self.desktop.command(
            "resolve", self.desktop.path("note.rtfd"), "--keep", other["version"], "--both")
        self.settle(self.laptop, self.desktop)
        for device in (self.laptop, self.desktop):
            self.assertEqual(
                [read(device.path(name)) for name in ("note.rtfd", "note 2.rtfd")],
                [next(whole for whole in wholes if whole != shown), shown])
        self.assert_same(self.laptop, self.desktop)

    def test_a_text_bundle_of_which_one_member_does_not_merge_stays_whole(self):
        self.make("note.textbundle")
        changes = [
            {"text.md": TEXT.replace(b"one", b"of the laptop"), "assets/b.png": b"B"},
            {"text.md": TEXT.replace(b"one", b"of the desktop"), "info.json": b"desktop"}]
        self.apart(*(
            lambda device, change=change: write(device.path("note.textbundle"), change)
            for change in changes))
        wholes = [{**self.document, **change} for change in changes]
        shown = read(self.laptop.path("note.textbundle"))
        self.assertIn(shown, wholes)
        self.assertEqual(read(self.desktop.path("note.textbundle")), shown)
        conflict = self.laptop.json("conflicts")["conflicts"][0]
        other = next(head for head in conflict["heads"] if not head["shown"])
        self.laptop.command(
            "resolve", self.laptop.path("note.textbundle"), "--keep", other["version"], "--both")
        self.settle(self.laptop, self.desktop)
        for device in (self.laptop, self.desktop):
            self.assertEqual(
                [read(device.path(name)) for name in ("note.textbundle", "note 2.textbundle")],
                [next(whole for whole in wholes if whole != shown), shown])
        self.assert_same(self.laptop, self.desktop)

    def test_packages_of_one_name_made_apart(self):
        self.apart(
            lambda device: write(device.path("note.rtfd"), {"text.md": b"of the laptop"}),
            lambda device: write(device.path("note.rtfd"), {"text.md": b"of the desktop"}))
        self.assert_same(self.laptop, self.desktop)
        self.assert_names(self.desktop, ["note.rtfd", "note.rtfd/text.md"])
        self.assertEqual(len(self.desktop.json("conflicts")["conflicts"][0]["heads"]), 2)

    # What was a folder stays one.

    def test_a_folder_that_gets_a_packages_name_stays_a_folder(self):
        write(self.laptop.path("plain"), {"text.md": TEXT})
        self.settle(self.laptop, self.desktop)
        os.rename(self.laptop.path("plain"), self.laptop.path("plain.rtfd"))
        self.settle(self.laptop, self.desktop)
        for device in (self.laptop, self.desktop):
            device.end()
            device.start()
        write(self.desktop.path("plain.rtfd"), {"more.md": b"more"})
        self.settle(self.laptop, self.desktop)
        self.assert_same(self.laptop, self.desktop)
        self.assertEqual(self.row(self.desktop, "plain.rtfd")["kind"], "folder")
        copy = self.desktop.path("copy.rtfd")
        shutil.copytree(self.desktop.path("plain.rtfd"), copy)
        self.settle(self.laptop, self.desktop)
        self.assertEqual(self.row(self.laptop, "copy.rtfd")["kind"], "package")
        self.assert_same(self.laptop, self.desktop)

    def test_what_is_configured_is_a_package(self):
        self.laptop.end()
        with open(os.path.join(self.laptop.home, ".ubiquity/packages"), "w") as file:
            file.write("bundle merge\n")
        self.laptop.start()
        write(self.laptop.path("a.bundle"), self.document)
        self.settle(self.laptop, self.desktop)
        # The other device was not told: the one that sends it first decides.
        self.assertEqual(self.row(self.desktop, "a.bundle")["kind"], "package")
        write(self.desktop.path("a.bundle"), {"text.md": b"of the desktop"})
        self.settle(self.laptop, self.desktop)
        self.assert_same(self.laptop, self.desktop)

    # Nothing is lost, and no mixture is seen.

    def test_what_was_changed_while_the_daemon_was_away_is_found(self):
        self.make("note.rtfd")
        self.laptop.kill()
        write(self.laptop.path("note.rtfd"), {"assets/a.png": b"\x89\x00B"})
        self.laptop.start()
        self.settle(self.laptop, self.desktop)
        self.assertEqual(
            read(self.desktop.path("note.rtfd")), {**self.document, "assets/a.png": b"\x89\x00B"})

    def test_kills_in_the_middle_of_installs_never_show_a_mixture(self):
        """Each save has one number in all its members; a reader must never see two."""
        def package(number):
            return {f"part {part}": b"%d\n" % number + bytes(20_000 * part) for part in range(30)}

        path = self.laptop.path("note.rtfd")
        write(path, package(0))
        self.settle(self.laptop, self.desktop)
        shown = set()
        for number in range(1, 9):
            write(path + ".tmp", package(number))
            os.rename(path, path + "~")
            os.rename(path + ".tmp", path)
            shutil.rmtree(path + "~")
            end = time.monotonic() + 2.0 + 0.06 * number
            while time.monotonic() < end:
                shown |= self.numbers(self.desktop.path("note.rtfd"))
            self.desktop.kill()
            shown |= self.numbers(self.desktop.path("note.rtfd"))
            self.desktop.start()
        self.settle(self.laptop, self.desktop)
        self.assertEqual(read(self.desktop.path("note.rtfd")), package(8))
        self.assert_same(self.laptop, self.desktop)
        self.assertEqual([sorted(numbers) for numbers in shown if len(numbers) > 1], [])
        self.assertGreater(len(shown), 2)
        staged = os.listdir(os.path.join(self.desktop.home, ".ubiquity/staging"))
        self.assertEqual(staged, [])
        self.assertEqual(self.desktop.json("status")["setAside"], 0)
        versions = self.desktop.json("versions", self.desktop.path("note.rtfd"))["versions"]
        self.assertLessEqual(len(versions), 9)
        self.assertEqual(self.desktop.json("status")["conflicts"], 0)

    def numbers(self, path):
        """The numbers in the members of one folder, whatever has its name by the end."""
        try:
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            return set()
        try:
            names = os.listdir(folder)
            found = set()
            for name in names:
                file = os.open(name, os.O_RDONLY, dir_fd=folder)
                found.add(os.read(file, 1))
                os.close(file)
            # The one that was replaced goes member by member, where only who has it open sees it.
            same = os.stat(path).st_ino == os.fstat(folder).st_ino
            return {frozenset(found)} if same else set()
        except FileNotFoundError:
            return set()
        finally:
            os.close(folder)


class PackageTransfers(Scenario):
    def test_only_the_members_that_changed_travel(self):
        self.start_cloud()
        wire = transfers.Wire(self.cloud)
        self.addCleanup(wire.close)
        devices = []
        for name in ("laptop", "desktop"):
            device = programs.Device(self.folder, name)
            self.addCleanup(device.kill)
            device.join(wire)
            device.start()
            devices.append(device)
        one, other = devices
        path = one.path("note.textbundle")
        write(path, {"text.md": TEXT})
        transfers.write_noise(os.path.join(path, "film.mov"), 20 * MEBIBYTE)
        self.settle(one, other)
        self.assert_same(one, other)
        before = wire.total
        write(path, {"text.md": TEXT.replace(b"one", b"ONE")})
        self.settle(one, other)
        self.assert_same(one, other)
        cost = wire.total - before
        self.assertLess(cost, 100_000)
        # A merge of both sides' texts costs no more.
        self.cloud.end()
        write(path, {"text.md": TEXT.replace(b"one", b"EINS")})
        write(other.path("note.textbundle"), {"text.md": TEXT.replace(b"three", b"DREI")
                                              .replace(b"one", b"ONE")})
        time.sleep(3)
        self.cloud.start()
        before = wire.total
        self.settle(one, other)
        merged = TEXT.replace(b"one", b"EINS").replace(b"three", b"DREI")
        self.assertEqual(read(path)["text.md"], merged)
        self.assert_same(one, other)
        self.assertLess(wire.total - before, 400_000)


if __name__ == "__main__":
    unittest.main()
