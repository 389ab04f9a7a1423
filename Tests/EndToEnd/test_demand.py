"""Files on demand: what is evicted stands as a placeholder, and comes back bit for bit."""

import os
import subprocess
import time
import unittest

import programs
import transfers
from scenario import Scenario


def hidden(name):
    return f".{name}.icloud"


class DemandTests(Scenario):
    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two_devices()

    def content(self, number):
        """Some inline and some in chunks; no two alike."""
        line = f"file {number}\n".encode()
        return line * (1 + number % 7 * 100 + (20_000 if number % 50 == 0 else 0))

    def share(self, **contents):
        for name, content in contents.items():
            programs.save(self.laptop.path(name.replace("_", ".")), content)
        self.settle(self.laptop, self.desktop)

    def state(self, device, name):
        rows = device.json("ls", os.path.dirname(device.path(name)) or device.documents)["items"]
        return {os.path.basename(row["path"]): row["state"] for row in rows}.get(
            os.path.basename(name))

    def evict(self, device, *names):
        device.command("evict", *(device.path(name) for name in names))

    def test_a_placeholder_says_what_it_is_and_costs_nothing(self):
        self.share(note_md=b"a note\n", it_s=b"quoted")
        self.evict(self.desktop, "note.md")
        self.assert_names(self.desktop, [hidden("note.md"), "it.s"])
        text = programs.read_if_there(self.desktop.path(hidden("note.md"))).decode()
        self.assertIn("ubiquity download 'note.md'", text)
        self.assertIn("size: 7 bytes", text)
        self.assertEqual(self.state(self.desktop, "note.md"), "placeholder")
        self.assertEqual(self.state(self.laptop, "note.md"), "current")
        found = self.desktop.json("find", "kMDItemFSSize == 7")["items"]
        self.assertEqual([row["state"] for row in found], ["placeholder"])
        self.assertIn(b"placeholder", self.desktop.command("why", self.desktop.path("note.md")))
        self.assertEqual(self.desktop.json("status")["state"], "in sync")
        self.desktop.command("wait")
        # Its bytes are read from the server, and it stays evicted.
        self.assertEqual(self.desktop.command("cat", self.desktop.path("note.md")), b"a note\n")
        self.assert_names(self.desktop, [hidden("note.md"), "it.s"])
        self.assert_names(self.laptop, ["note.md", "it.s"])
        # By its own name or by the placeholder's.
        self.desktop.command("download", self.desktop.path(hidden("note.md")))
        self.assert_same(self.laptop, self.desktop)

    def make_many(self, count):
        for folder in range(10):
            os.makedirs(self.laptop.path(f"f{folder}"))
        for number in range(count):
            programs.save(
                self.laptop.path(f"f{number % 10}/n{number}.md"), self.content(number))
        self.laptop.wait(120)
        self.desktop.wait(120)
        self.assert_same(self.laptop, self.desktop)

    def assert_evicted(self, count):
        for folder, _, names in os.walk(self.desktop.documents):
            for name in names:
                self.assertTrue(name.endswith(".icloud"), os.path.join(folder, name))
                count -= 1
        self.assertEqual(count, 0)

    def test_a_thousand_files_go_and_come_back(self):
        self.make_many(1_000)
        for folder in range(10):
            self.evict(self.desktop, f"f{folder}")
        self.assert_evicted(1_000)
        self.desktop.wait(60)
        self.desktop.end()
        self.desktop.start()
        self.desktop.wait(60)
        self.assert_evicted(1_000)
        self.desktop.command(
            "download", *(self.desktop.path(f"f{folder}") for folder in range(10)))
        self.assert_same(self.laptop, self.desktop)
        self.settle(self.laptop, self.desktop)

    def test_kills_half_way(self):
        self.make_many(300)
        for word in ("evict", "download"):
            for folder in range(10):
                child = subprocess.Popen(
                    [self.desktop.program, word, self.desktop.path(f"f{folder}")],
                    env=self.desktop.environment(), stderr=subprocess.DEVNULL)
                time.sleep(0.02 + 0.01 * folder)
                self.desktop.kill()
                child.wait()
                self.desktop.start()
                self.desktop.command(word, self.desktop.path(f"f{folder}"))
            self.desktop.wait(60)
            if word == "evict":
                self.assert_evicted(300)
        self.assert_same(self.laptop, self.desktop)
        self.settle(self.laptop, self.desktop)
        for number in range(0, 300, 37):
            versions = self.laptop.json(
                "versions", self.laptop.path(f"f{number % 10}/n{number}.md"))["versions"]
            self.assertEqual(len(versions), 1)

    def test_what_others_do_meanwhile(self):
        self.share(edited_md=b"one\n", renamed_md=b"two\n", deleted_md=b"three\n")
        self.evict(self.desktop, "edited.md", "renamed.md", "deleted.md")
        programs.save(self.laptop.path("edited.md"), b"one and more\n")
        os.rename(self.laptop.path("renamed.md"), self.laptop.path("other.md"))
        os.remove(self.laptop.path("deleted.md"))
        self.settle(self.laptop, self.desktop)
        self.assert_names(self.desktop, [hidden("edited.md"), hidden("other.md")])
        text = programs.read_if_there(self.desktop.path(hidden("edited.md")))
        self.assertIn(b"size: 13 bytes", text)
        text = programs.read_if_there(self.desktop.path(hidden("other.md")))
        self.assertIn(b"download 'other.md'", text)
        self.desktop.command("download", self.desktop.documents)
        self.assert_same(self.laptop, self.desktop)

    def test_what_people_do_to_a_placeholder(self):
        self.share(moved_md=b"one\n", deleted_md=b"two\n", written_md=b"three\n")
        self.evict(self.desktop, "moved.md", "deleted.md", "written.md")
        os.makedirs(self.desktop.path("folder"))
        os.rename(
            self.desktop.path(hidden("moved.md")), self.desktop.path("folder/plain"))
        os.remove(self.desktop.path(hidden("deleted.md")))
        os.chmod(self.desktop.path(hidden("written.md")), 0o644)
        programs.save(self.desktop.path(hidden("written.md")), b"typed here\n")
        self.settle(self.laptop, self.desktop)
        names = ["folder", "written.md", hidden("written.md")]
        self.assert_names(self.laptop, names + ["folder/plain"])
        self.assert_content(self.laptop, "folder/plain", b"one\n")
        self.assert_content(self.laptop, "written.md", b"three\n")
        self.assert_content(self.laptop, hidden("written.md"), b"typed here\n")
        # What was written is a file of its own, and the item is downloaded again.
        self.assert_names(self.desktop, names + ["folder/" + hidden("plain")])
        self.assert_content(self.desktop, "written.md", b"three\n")
        trash = self.laptop.json("trash")["items"]
        self.assertEqual(
            [os.path.basename(row["path"]) for row in trash], ["deleted.md"])

    def test_a_file_saved_where_a_placeholder_stands(self):
        self.share(note_md=b"one\n")
        self.evict(self.desktop, "note.md")
        programs.save(self.desktop.path("note.md"), b"quite another\n")
        self.settle(self.laptop, self.desktop)
        # Made from nothing: it is a further head, and both are there to be chosen from.
        self.assertEqual(len(self.desktop.json("conflicts")["conflicts"]), 1)
        self.assert_names(self.desktop, ["note.md"])
        self.assert_same(self.laptop, self.desktop)
        conflict = self.desktop.json("conflicts")["conflicts"][0]
        sizes = sorted(head["size"] for head in conflict["heads"])
        self.assertEqual(sizes, [4, 14])

    def test_a_conflict_elsewhere_is_downloaded(self):
        phone = self.device("phone")
        self.share(note_md=b"one\n")
        self.settle(self.laptop, self.desktop, phone)
        self.assert_content(phone, "note.md", b"one\n")
        self.evict(self.desktop, "note.md")
        self.cloud.end()
        programs.save(self.laptop.path("note.md"), b"laptop\n")
        programs.save(phone.path("note.md"), b"phone\n")
        self.cloud.start()
        self.settle(self.laptop, self.desktop, phone)
        self.assert_names(self.desktop, ["note.md"])
        self.assertEqual(len(self.desktop.json("conflicts")["conflicts"]), 1)
        self.assert_same(self.laptop, self.desktop)

    def refused(self, name, *words):
        self.assert_says_why(
            self.desktop.attempt("evict", self.desktop.path(name)), *words)

    def test_what_is_not_evicted(self):
        long = "n" * 249
        self.share(**{"own_md": b"one\n", long: b"two\n", "open_md": b"three\n"})
        programs.save(self.laptop.path(hidden("own.md")), b"a user's own\n")
        self.settle(self.laptop, self.desktop)
        self.refused("own.md", "placeholder's name")
        self.refused(long, "rename")
        with open(self.desktop.path("open.md"), "ab"):
            self.refused("open.md", "open")
        self.desktop.command("pin", self.desktop.path("open.md"))
        self.refused("open.md", "pinned")
        self.desktop.command("pin", "--off", self.desktop.path("open.md"))
        os.makedirs(self.desktop.path("box.rtfd"))
        programs.save(self.desktop.path("box.rtfd/TXT.rtf"), b"text")
        self.settle(self.laptop, self.desktop)
        self.refused("box.rtfd", "package")
        self.cloud.end()
        programs.save(self.desktop.path("own.md"), b"unsent\n")
        programs.until(lambda: self.desktop.json("status")["outbox"], "it is seen")
        self.refused("own.md", "wait")
        self.assert_content(self.desktop, "own.md", b"unsent\n")
        self.cloud.start()
        self.settle(self.laptop, self.desktop)
        self.assert_same(self.laptop, self.desktop)
        # A user's file may come where a placeholder stands: that one is downloaded.
        self.evict(self.desktop, "open.md")
        programs.save(self.laptop.path(hidden("open.md")), b"a user's own\n")
        self.settle(self.laptop, self.desktop)
        self.assert_same(self.laptop, self.desktop)


@unittest.skipUnless(os.geteuid() == 0, "only root can mount")
class RoomTests(Scenario):
    def test_room_is_kept_free(self):
        self.start_cloud()
        laptop = self.device("laptop")
        desktop = programs.Device(self.folder, "desktop")
        self.mount(desktop.home, "96m")
        self.addCleanup(desktop.kill)
        desktop.join(self.cloud)
        desktop.start()
        names = [f"film {number}" for number in range(6)]
        for number, name in enumerate(names):
            transfers.write_noise(laptop.path(name), 8 * transfers.MEBIBYTE, number)
        self.settle(laptop, desktop)
        # The last ones were used a day ago, and one of them is pinned.
        for number, name in enumerate(names):
            ago = time.time() - (number + 1) * 86_400
            modified = os.stat(desktop.path(name)).st_mtime_ns
            os.utime(desktop.path(name), ns=(int(ago * 1e9), modified))
        desktop.command("pin", desktop.path(names[5]))
        desktop.wait()
        free = self.free(desktop)
        desktop.command("evict", "--keep-free", f"{(free >> 20) + 12}M")
        programs.until(lambda: self.free(desktop) > free + 12 * transfers.MEBIBYTE, "room")
        desktop.wait()
        self.assertEqual(desktop.json("status")["evicted"], 2)
        self.assert_names(
            desktop, names[:3] + [hidden(names[3]), hidden(names[4]), names[5]])
        # What comes later makes others go, also after a restart.
        desktop.end()
        desktop.start()
        transfers.write_noise(laptop.path("new"), 8 * transfers.MEBIBYTE, 9)
        laptop.wait()
        programs.until(
            lambda: os.path.exists(desktop.path(hidden(names[2]))), "the next one goes")
        self.assertTrue(os.path.exists(desktop.path("new")))
        desktop.command("evict", "--keep-free", "off")
        self.assertEqual(desktop.json("status")["keepFree"], 0)
        for name in names:
            desktop.command("download", desktop.path(name))
        self.assert_same(laptop, desktop)

    def free(self, device):
        status = os.statvfs(device.home)
        return status.f_bavail * status.f_frsize


if __name__ == "__main__":
    unittest.main()
