"""Faults that people met in other programs: list A of them, each case in twenty variations.

The variations of a case differ in names, sizes and order by their seed, live in a folder each, and
go through its steps together, so that they also disturb each other. `Docs/Testing.md` says which
case is where, also of those that other scenarios have.
"""

import base64
import os
import random
import shutil
import time
import unittest

import odd_tree
import programs
import trees
from scenario import Scenario

SEEDS = range(20)
NAMES = [name for name in odd_tree.NAMES if len(name) < 100]


class Variation:
    """Names and contents that follow from a case and a seed; paths below the seed's folder."""

    def __init__(self, case, seed):
        self.random = random.Random(f"{case} {seed}")
        self.folder = os.fsencode(f"{case}/{seed}")
        self.names = self.random.sample(NAMES, 12)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def content(self):
        return self.random.randbytes(self.random.choice(odd_tree.SIZES[3:]))

    def lines(self, count):
        return [b"line %d: %d\n" % (place, self.random.randrange(10**9))
                for place in range(count)]

    def shuffled(self, things):
        things = list(things)
        self.random.shuffle(things)
        return things


class CaseTests(Scenario):
    def setUp(self):
        super().setUp()
        self.a, self.b = self.two_devices()

    def variations(self, case):
        found = [Variation(case, seed) for seed in SEEDS]
        for variation in found:
            os.makedirs(self.a.path(variation.folder))
        self.settle(self.a, self.b)
        return found

    def settled(self, conflicts=0):
        self.settle(self.a, self.b)
        self.assert_same(self.a, self.b)
        for device in (self.a, self.b):
            self.assertEqual(len(device.json("conflicts")["conflicts"]), conflicts)
            self.assertEqual(device.json("status")["stuck"], [])

    def assert_in(self, variation, names):
        for device in (self.a, self.b):
            found = trees.read(device.path(variation.folder))
            self.assertEqual(sorted(found), sorted(names))

    def offline(self):
        """Both devices lose their server; what they do until `online` crosses then."""
        self.cloud.kill()

    def online(self):
        self.cloud.start()

    def read(self, device, path):
        with open(device.path(path), "rb") as file:
            return file.read()

    def test_a1_a_name_changes_its_case_only(self):
        variations = self.variations("a1")
        words = [(b"AAA%d.txt" % number, b"aaa%d.txt" % number) for number in range(3)]
        for variation in variations:
            for upper, _ in words:
                programs.write_durably(self.a.path(variation.path(upper)), variation.content())
        self.settled()
        for variation in variations:
            for upper, lower in variation.shuffled(words):
                os.rename(self.a.path(variation.path(upper)), self.a.path(variation.path(lower)))
        self.settled()
        expected = {}
        for variation in variations:
            self.assert_in(variation, [lower for _, lower in words])
            for upper, lower in variation.shuffled(words):
                os.remove(self.a.path(variation.path(lower)))
                expected[variation.path(upper)] = variation.content()
                programs.write_durably(
                    self.a.path(variation.path(upper)), expected[variation.path(upper)])
        self.settled()
        for path in expected:
            self.read(self.b, path)
            expected[path] += b"from B"
            programs.save(self.b.path(path), expected[path])
        self.settled()
        for variation in variations:
            self.assert_in(variation, [upper for upper, _ in words])
        for path, content in expected.items():
            self.assertEqual(self.read(self.a, path), content)

    def test_a2_names_that_look_alike(self):
        twins = ["caf\u00e9".encode(), "cafe\u0301".encode(), "\u212b".encode(),
                 "\u00c5".encode(), "A\u030a".encode()]
        variations = self.variations("a2")
        expected = {}
        for variation in variations:
            for twin in variation.shuffled(twins):
                device = variation.random.choice((self.a, self.b))
                path = variation.path(twin + b".md")
                expected[path] = variation.content()
                programs.write_durably(device.path(path), expected[path])
        self.settled()
        for variation in variations:
            self.assert_in(variation, [twin + b".md" for twin in twins])
        for path, content in expected.items():
            self.assertEqual(self.read(self.a, path), content)
            self.assertEqual(self.read(self.b, path), content)

    def test_a3_line_breaks_and_tabs_among_others(self):
        names = [b"a\nb", b"c\td", b"\n", b"\r\n", b"e\\nf", *(b"%d" % n for n in range(20))]
        variations = self.variations("a3")
        for variation in variations:
            for name in variation.shuffled(names):
                programs.write_durably(self.a.path(variation.path(name)), variation.content())
        self.settled()
        for variation in variations:
            self.assert_in(variation, names)

    def test_a4_the_longest_names(self):
        names = [b"x" * 255, "\u65e5".encode() * 85, b"." + b"y" * 254, b"z" * 251 + b".txt"]
        variations = self.variations("a4")
        for variation in variations:
            for name in variation.shuffled(names):
                programs.save(
                    self.a.path(variation.path(name)), variation.content(),
                    self.a.path(variation.path(b"short.tmp")))
        self.settled()
        for variation in variations:
            self.assert_in(variation, names)

    def test_a5_a6_times_long_ago_and_to_come_are_sent_once(self):
        variations = self.variations("a5")
        for variation in variations:
            for name in variation.names[:3]:
                path = self.a.path(variation.path(name))
                programs.write_durably(path, variation.content())
                moment = variation.random.choice((-141_012_179_750_000_000,
                                                  3_786_912_000_000_000_000, 0, 1))
                moment += variation.random.randrange(10**9)
                os.utime(path, ns=(moment, moment))
        self.settled()
        number = self.a.json("status")["number"]
        for _ in range(3):
            time.sleep(0.3)
            self.settled()
        self.assertEqual(self.a.json("status")["number"], number)

    def test_a7_both_edit_apart(self):
        variations = self.variations("a7")
        texts = {}
        for variation in variations:
            for kind in (b"apart.md", b"same.md"):
                lines = variation.lines(variation.random.randrange(9, 60))
                texts[variation.path(kind)] = lines
                programs.save(self.a.path(variation.path(kind)), b"".join(lines))
        self.settled()
        self.offline()
        for path, lines in texts.items():
            places = (0, len(lines) - 1) if path.endswith(b"apart.md") else (2, 2)
            for device, place in zip((self.a, self.b), places):
                lines = self.read(device, path).splitlines(keepends=True)
                lines[place] = f"by {device.name}\n".encode()
                programs.save(device.path(path), b"".join(lines))
        self.online()
        self.settled(conflicts=len(variations))
        for variation in variations:
            merged = self.read(self.b, variation.path(b"apart.md"))
            self.assertIn(b"by laptop\n", merged)
            self.assertIn(b"by desktop\n", merged)
        for device in (self.a, self.b):
            for row in device.json("conflicts")["conflicts"]:
                heads = {device.command("cat", row["path"], "--version", head["version"])
                         for head in row["heads"]}
                self.assertEqual(len(heads), 2)
                self.assertTrue(any(b"by laptop\n" in head for head in heads))
                self.assertTrue(any(b"by desktop\n" in head for head in heads))

    def test_a8_one_edits_what_the_other_deletes(self):
        variations = self.variations("a8")
        for variation in variations:
            for name in variation.names[:3]:
                programs.save(self.a.path(variation.path(name)), variation.content(),
                              self.a.path(variation.path(b"t.tmp")))
        self.settled()
        self.offline()
        edited = {}
        for variation in variations:
            name = variation.names[0]
            for device in variation.shuffled((self.a, self.b)):
                path = variation.path(name)
                if device is self.a:
                    os.remove(device.path(path))
                else:
                    edited[path] = self.read(device, path) + b"edited"
                    programs.save(device.path(path), edited[path],
                                  device.path(variation.path(b"t.tmp")))
        self.online()
        self.settled()
        for path, content in edited.items():
            self.assertEqual(self.read(self.a, path), content)

    def test_a9_an_edit_below_a_folder_that_is_renamed_twice(self):
        variations = self.variations("a9")
        for variation in variations:
            folder, name = variation.names[:2]
            os.mkdir(self.a.path(variation.path(folder)))
            programs.write_durably(
                self.a.path(variation.path(folder, name)), variation.content())
        self.settled()
        self.offline()
        edited = {}
        for variation in variations:
            first, name, second, third = variation.names[:4]
            edited[variation.path(third, name)] = variation.content()
            self.read(self.a, variation.path(first, name))
            programs.write_durably(
                self.a.path(variation.path(first, name)), edited[variation.path(third, name)])
            for old, new in ((first, second), (second, third)):
                os.rename(self.b.path(variation.path(old)), self.b.path(variation.path(new)))
        self.online()
        self.settled()
        for variation in variations:
            _, name, _, third = variation.names[:4]
            self.assert_in(variation, [third, os.path.join(third, name)])
        for path, content in edited.items():
            self.assertEqual(self.read(self.b, path), content)

    def test_a10_a_torn_download_does_not_reach_the_server(self):
        """What a failure of power left of an install is an old version or nothing to others."""
        variations = self.variations("a10")
        contents = {}
        for variation in variations:
            path = variation.path(variation.names[0])
            contents[path] = variation.content() + b"end"
            programs.write_durably(self.a.path(path), contents[path])
        self.settled()
        self.b.kill()
        for path, content in contents.items():
            status = os.stat(self.b.path(path))
            os.truncate(self.b.path(path), 0)
            os.utime(self.b.path(path), ns=(status.st_atime_ns, status.st_mtime_ns))
        self.b.start()
        self.settle(self.a, self.b)
        # Nothing tells it from a person's truncation: so the content must be an old version.
        for path, content in contents.items():
            rows = self.a.json("versions", self.a.path(path))["versions"]
            self.assertIn(content, [
                self.a.command("cat", self.a.path(path), "--version", row["version"])
                for row in rows])

    def test_a11_a_slow_writer(self):
        variations = self.variations("a11")
        halves = [(variation.path(variation.names[0]), variation.content(), variation.content())
                  for variation in variations]
        files = []
        for path, first, _ in halves:
            files.append(open(self.a.path(path), "wb", buffering=0))
            files[-1].write(first)
        for _ in range(5):
            time.sleep(0.2)
            for path, _, _ in halves:
                self.assertFalse(os.path.lexists(self.b.path(path)))
        for file, (_, _, second) in zip(files, halves):
            file.write(second)
            file.close()
        self.settled()
        for path, first, second in halves:
            self.assertEqual(self.read(self.b, path), first + second)

    def test_a13_a_link_takes_a_folders_place(self):
        variations = self.variations("a13")
        for variation in variations:
            one, other = variation.names[:2]
            for folder in (one, other):
                os.mkdir(self.a.path(variation.path(folder)))
                for name in variation.names[2:5]:
                    programs.write_durably(
                        self.a.path(variation.path(folder, name)), variation.content())
        self.settled()
        for variation in variations:
            one, other = variation.names[:2]
            device = variation.random.choice((self.a, self.b))
            shutil.rmtree(device.path(variation.path(one)))
            os.symlink(other, device.path(variation.path(one)))
        self.settled()
        for variation in variations:
            one, other = variation.names[:2]
            self.assert_in(variation, [
                one, other, *(os.path.join(other, name) for name in variation.names[2:5])])

    def test_a14_two_hundred_saves_by_rename(self):
        variations = self.variations("a14")
        last = {}
        for variation in variations:
            path = variation.path(variation.names[0])
            programs.write_durably(self.a.path(path), b"first\n")
        self.settled()
        for number in range(10):
            for variation in variations:
                path = variation.path(variation.names[0])
                last[path] = self.read(self.a, path) + b"save %d\n" % number
                temporary = variation.random.choice((b"sedAb12Cd", b"t.tmp", b".goutputstream-X"))
                programs.save(
                    self.a.path(path), last[path], self.a.path(variation.path(temporary)))
        self.settled()
        for variation in variations:
            self.assert_in(variation, [variation.names[0]])
        for path, content in last.items():
            self.assertEqual(self.read(self.b, path), content)
            rows = self.a.json("versions", self.a.path(path))["versions"]
            self.assertFalse(any(row.get("deleted") for row in rows))

    def test_more_cases_of_contents_names_and_moments(self):
        """OCc #743, NCd #4164, dot-files, ST #10331, #3526, #101, #5856."""
        variations = self.variations("more")
        for variation in variations:
            paths = [self.a.path(variation.path(name)) for name in (
                b" leading", b".dot", b"emptied", b"zeros", b"pasted", b"times", b"links")]
            for path in variation.shuffled(paths):
                programs.write_durably(path, variation.content() + b".")
            programs.write_durably(paths[3], bytes(variation.random.choice((4096, 65536, 1 << 20))))
            os.link(paths[6], paths[6] + b" 2")
            # Pasted, and renamed before anybody could have read it.
            programs.write_durably(paths[4] + b" 2", variation.content())
            os.rename(paths[4] + b" 2", paths[4] + b" 3")
        self.settled()
        for variation in variations:
            os.truncate(self.b.path(variation.path(b"emptied")), 0)
            for device, moment in zip((self.a, self.b), variation.shuffled((10**18, 2 * 10**18))):
                os.utime(device.path(variation.path(b"times")), ns=(moment, moment))
        self.settled()
        names = [b" leading", b".dot", b"emptied", b"zeros", b"pasted", b"pasted 3", b"times",
                 b"links", b"links 2"]
        for variation in variations:
            self.assert_in(variation, names)
            self.assertEqual(self.read(self.a, variation.path(b"emptied")), b"")

    def test_exactly_two_gibibytes(self):
        """OCc #7985: 2^31 bytes never finish."""
        size = 1 << 31
        chance = random.Random("two gibibytes")
        with open(self.a.path("film~"), "wb") as file:
            for place in (0, chance.randrange(size - 4096), size - 4096):
                file.seek(place)
                file.write(chance.randbytes(4096))
        os.rename(self.a.path("film~"), self.a.path("film"))
        programs.settle([self.a, self.b], seconds=300)
        self.assert_same(self.a, self.b)
        self.assertEqual(os.stat(self.b.path("film")).st_size, size)

    def test_conflicts_of_conflicts(self):
        """ST #2282: both edit apart what is in conflict, again and again, and then the copies."""
        variations = self.variations("conflicts")
        paths = [variation.path(variation.names[0] + b".bin") for variation in variations]
        saved = {path: [] for path in paths}

        def edit_apart(names):
            for variation, path in zip(variations, paths):
                for device in variation.shuffled((self.a, self.b)):
                    saved[path].append(variation.content() + b"%d" % len(saved[path]))
                    programs.save(device.path(names[path]), saved[path][-1])

        def save_apart(names, conflicts):
            self.offline()
            edit_apart(names)
            self.online()
            self.settled(conflicts=conflicts)

        save_apart({path: path for path in paths}, len(paths))
        # Nobody settles it, and both go on with what each of them sees.
        for _ in range(3):
            save_apart({path: path for path in paths}, len(paths))
        for variation, path in zip(variations, paths):
            self.assert_in(variation, [os.path.basename(path)])
        copies = self.settle_with_copies(paths)
        save_apart(copies, len(paths))
        copies_of_copies = self.settle_with_copies(list(copies.values()))
        self.settled()
        for path in paths:
            names = (path, copies[path], copies_of_copies[copies[path]])
            self.assertEqual(len(set(names)), 3)
            self.assertEqual(self.contents_of(names) & set(saved[path]), set(saved[path]))

    def settle_with_copies(self, paths):
        """Ends each conflict, with its other side as a file beside it; gives those."""
        copies = {}
        for path in paths:
            folder = os.path.dirname(path)
            before = set(os.listdir(self.a.path(folder)))
            heads = next(
                row["heads"] for row in self.a.json("conflicts")["conflicts"]
                if self.path_of(row) == self.a.path(path))
            self.a.command("resolve", self.a.path(path), "--keep", heads[0]["version"], "--both")
            new = set(os.listdir(self.a.path(folder))) - before
            self.assertEqual(len(new), len(heads) - 1)
            copies[path] = os.path.join(folder, new.pop())
        self.settle(self.a, self.b)
        return copies

    def path_of(self, row):
        if "pathBytes" in row:
            return base64.b64decode(row["pathBytes"])
        return os.fsencode(row["path"])

    def contents_of(self, paths):
        """All versions of files."""
        return {
            self.a.command("cat", self.a.path(path), "--version", version["version"])
            for path in paths
            for version in self.a.json("versions", self.a.path(path))["versions"]}

    def test_a15_more_changes_than_the_watcher_can_hold(self):
        folders = [Variation("a15", seed) for seed in SEEDS]
        for variation in folders:
            os.makedirs(self.a.path(variation.path(b"old")))
            for name in range(20):
                programs.write_in_place(
                    self.a.path(variation.path(b"old", b"%d" % name)), variation.content())
        self.settled()
        before = self.a.json("status")["number"]
        self.a.stop()
        try:
            # Each is four events or more, and 16,384 is what the kernel keeps.
            for number in range(6_000):
                path = self.a.path(b"a15/passing")
                programs.write_in_place(path, b"%d" % number)
                os.remove(path)
            for variation in variations_shuffled(folders):
                os.rename(self.a.path(variation.path(b"old")), self.a.path(variation.path(b"new")))
                programs.write_in_place(
                    self.a.path(variation.path(b"new", b"0")), b"after the overflow")
        finally:
            self.a.go_on()
        self.settled()
        for variation in folders:
            self.assertEqual(self.read(self.b, variation.path(b"new", b"0")), b"after the overflow")
            self.assertFalse(os.path.lexists(self.b.path(variation.path(b"old"))))
        # A move and an edit each, and not a deletion and a new file for every member.
        self.assertLess(self.a.json("status")["number"] - before, 3 * len(folders))


def variations_shuffled(variations):
    return variations[0].shuffled(variations)


if __name__ == "__main__":
    unittest.main()
