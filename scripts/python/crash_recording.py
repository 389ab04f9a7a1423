"""What is recorded: a server and two devices at work, step by step, with what people do at them.

Run below strace. Each content has a length of its own, by which it is known again. Folders named
below `marks` say in the trace how far everything was; `people.json` says what was written.
"""

import json
import os
import random
import sys
import time

import programs

LONG = 300_000


class Recording:
    """The live cloud, and what people do; `ada` is never cut from power, `ben` is."""

    def __init__(self, folder):
        self.folder = folder
        self.root = os.path.join(folder, "live")
        os.makedirs(os.path.join(self.root, "marks"))
        self.cloud = programs.Cloud(self.root)
        self.ada = programs.Device(self.root, "ada")
        self.ben = programs.Device(self.root, "ben")
        self.marks = 0
        self.written = {}
        self.random = random.Random(1)

    def mark(self, text):
        self.marks += 1
        os.mkdir(os.path.join(self.root, "marks", f"{self.marks:04d} {text}"))

    def run(self, steps):
        self.cloud.add_account("anna")
        self.cloud.start()
        for device in (self.ada, self.ben):
            device.join(self.cloud)
            device.start()
        programs.settle([self.ada, self.ben])
        try:
            for step in steps:
                self.mark(f"step {step.__name__}")
                step(self)
                programs.settle([self.ben, self.ada])
            self.mark("step end")
            self.mark("end")
        finally:
            for process in (self.ada, self.ben, self.cloud):
                process.kill()
            with open(os.path.join(self.folder, "people.json"), "w", encoding="utf-8") as file:
                json.dump({"port": self.cloud.port, "written": self.written}, file)

    # What people do.

    def content(self, size, line=None):
        """A content of a length that no other has."""
        size += len(self.written)
        if line:
            return (line * (size // len(line) + 1))[:size].encode()
        return self.random.randbytes(size)

    def save(self, device, path, size=500, in_place=False):
        """A save of somebody who knows about power cuts: all of it is durable when it is done."""
        content = self.content(size)
        self.keep(device, path, content, lambda: self.write(device.path(path), content, in_place))

    def keep(self, device, path, content, write):
        size = str(len(content))
        self.written[size] = [device.name, path]
        self.mark(f"begun {size}")
        write()
        self.mark(f"durable {size}")

    def save_loosely(self, device, path, size=500, in_place=False):
        """A save of a program that makes nothing durable."""
        content = self.content(size)
        self.written[str(len(content))] = [device.name, path]
        self.mark(f"begun {len(content)}")
        place = device.path(path)
        temporary = place if in_place else place + ".tmp"
        with open(temporary, "wb") as file:
            file.write(content)
        if not in_place:
            os.rename(temporary, place)
        device.wait()
        # The account has it by now.
        self.mark(f"acknowledged {len(content)}")

    def write(self, path, content, in_place):
        if in_place:
            programs.write_durably(path, content)
        else:
            programs.save(path, content)
        sync(os.path.dirname(path))

    def make_folder(self, device, path):
        os.mkdir(device.path(path))
        sync(os.path.dirname(device.path(path)))

    def package(self, device, path, sizes):
        """A package that appears whole: made under a temporary name."""
        place = device.path(path)
        building = place + ".tmp"
        contents = [self.content(size) for size in sizes]
        for number, content in enumerate(contents):
            self.written[str(len(content) + number)] = [device.name, path]
        os.mkdir(building)
        for number, content in enumerate(contents):
            content += bytes(number)
            self.mark(f"begun {len(content)}")
            programs.write_durably(os.path.join(building, f"member {number}"), content)
        sync(building)
        os.rename(building, place)
        sync(os.path.dirname(place))
        for number, content in enumerate(contents):
            self.mark(f"durable {len(content) + number}")


def sync(folder):
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(descriptor)
    os.close(descriptor)


# Steps at the device whose power is cut: what it saves.

def ben_makes_a_file(all):
    all.save(all.ben, "made by ben")


def ben_saves_it(all):
    all.save(all.ben, "made by ben")


def ben_saves_it_in_place(all):
    all.save(all.ben, "made by ben", in_place=True)


def ben_saves_twice(all):
    """The second before the first can be at the server."""
    all.save(all.ben, "made by ben")
    all.save(all.ben, "second by ben")


def ben_makes_a_file_loosely(all):
    all.save_loosely(all.ben, "loose by ben")


def ben_saves_it_loosely(all):
    all.save_loosely(all.ben, "loose by ben")


def ben_saves_it_loosely_in_place(all):
    all.save_loosely(all.ben, "loose by ben", in_place=True)


def ben_deletes_what_was_loose(all):
    os.unlink(all.ben.path("loose by ben"))


def ben_saves_a_long_file_loosely(all):
    all.save_loosely(all.ben, "long and loose by ben", LONG, in_place=True)


def ben_makes_a_long_file(all):
    all.save(all.ben, "long by ben", LONG)


def ben_saves_the_long_file(all):
    all.save(all.ben, "long by ben", LONG, in_place=True)


def ben_makes_a_folder(all):
    all.make_folder(all.ben, "folder of ben")
    all.save(all.ben, "folder of ben/inner")


def ben_renames(all):
    os.rename(all.ben.path("made by ben"), all.ben.path("renamed by ben"))
    sync(all.ben.documents)


def ben_moves(all):
    os.rename(all.ben.path("renamed by ben"), all.ben.path("folder of ben/moved by ben"))
    sync(all.ben.documents)
    sync(all.ben.path("folder of ben"))


def ben_renames_the_folder(all):
    os.rename(all.ben.path("folder of ben"), all.ben.path("other folder"))
    sync(all.ben.documents)


def ben_changes_mode_and_time(all):
    path = all.ben.path("other folder/moved by ben")
    os.chmod(path, 0o700)
    os.utime(path, ns=(1_000_000_007, 1_000_000_007))


def ben_makes_a_link(all):
    os.symlink("other folder", all.ben.path("link by ben"))
    sync(all.ben.documents)


def ben_makes_a_package(all):
    all.package(all.ben, "by ben.textbundle", [700, 800])


def ben_deletes(all):
    os.unlink(all.ben.path("second by ben"))
    sync(all.ben.documents)


def ben_deletes_a_folder(all):
    all.make_folder(all.ben, "short-lived")
    all.save(all.ben, "short-lived/inner")
    programs.settle([all.ben, all.ada])
    os.unlink(all.ben.path("short-lived/inner"))
    os.rmdir(all.ben.path("short-lived"))
    sync(all.ben.documents)


def ben_sets_a_value(all):
    all.ben.command("kv", "set", "key", "value")


# Steps at the other: what is installed here.

def ada_makes_a_file(all):
    all.save(all.ada, "made by ada")


def ada_saves_it(all):
    all.save(all.ada, "made by ada")


def ada_saves_what_ben_read(all):
    programs.read_if_there(all.ben.path("made by ada"))
    all.save(all.ada, "made by ada")


def ada_makes_many(all):
    """More at once than are made durable one by one."""
    all.ben.stop()
    for number in range(7):
        all.save(all.ada, f"many {number}")
    all.ada.wait()
    all.ben.go_on()


def ada_replaces_many(all):
    all.ben.stop()
    for number in range(7):
        all.save(all.ada, f"many {number}")
    all.ada.wait()
    all.ben.go_on()


def ada_makes_a_long_file(all):
    all.save(all.ada, "long by ada", LONG)


def ada_saves_the_long_file(all):
    content = bytearray(programs.read_if_there(all.ada.path("long by ada")))
    content[70_000:70_010] = bytes(10)
    content += all.content(500)
    all.keep(all.ada, "long by ada", bytes(content),
             lambda: all.write(all.ada.path("long by ada"), bytes(content), False))


def ada_makes_folders(all):
    all.make_folder(all.ada, "folder of ada")
    all.make_folder(all.ada, "folder of ada/inner")
    all.save(all.ada, "folder of ada/inner/file")


def ada_renames(all):
    os.rename(all.ada.path("made by ada"), all.ada.path("folder of ada/renamed by ada"))
    os.rename(all.ada.path("folder of ada"), all.ada.path("new name of ada"))


def ada_swaps_two_names(all):
    one, other, between = map(all.ada.path, ("many 0", "many 1", "many 0.tmp"))
    os.rename(one, between)
    os.rename(other, one)
    os.rename(between, other)


def ada_changes_mode_and_time(all):
    os.chmod(all.ada.path("many 2"), 0o400)
    os.chmod(all.ada.path("new name of ada/inner"), 0o700)
    os.utime(all.ada.path("many 3"), ns=(5, 5))


def ada_makes_and_replaces_a_link(all):
    os.symlink("many 2", all.ada.path("link by ada"))
    programs.settle([all.ada, all.ben])
    os.unlink(all.ada.path("link by ada"))
    os.symlink("many 3", all.ada.path("link by ada"))


def ada_makes_a_package(all):
    all.package(all.ada, "by ada.textbundle", [900, 1000])


def ada_replaces_a_packages_member(all):
    path = "by ada.textbundle/member 1"
    content = all.content(1100)
    all.keep(all.ada, path, content, lambda: all.write(all.ada.path(path), content, True))


def ada_deletes(all):
    os.unlink(all.ada.path("many 4"))


def ada_deletes_the_package(all):
    for name in ("member 0", "member 1"):
        os.unlink(all.ada.path(f"by ada.textbundle/{name}"))
    os.rmdir(all.ada.path("by ada.textbundle"))


def ada_deletes_a_folder_with_what_ben_ignores(all):
    """What stays on its device is set aside."""
    path = "new name of ada/inner/kept by ben~"
    content = all.content(600)
    all.keep(all.ben, path, content, lambda: all.write(all.ben.path(path), content, False))
    programs.settle([all.ben, all.ada])
    os.unlink(all.ada.path("new name of ada/inner/file"))
    os.rmdir(all.ada.path("new name of ada/inner"))


def both_edit_a_text(all):
    """What merges, and is installed on both."""
    lines = [f"line {number}\n" for number in range(9)]
    for device, number in ((all.ada, None), (all.ada, 1), (all.ben, 7)):
        if number:
            lines = programs.read_if_there(all.ada.path("text.txt")).decode().splitlines(True)
            if number == 7:
                lines[1] = "line 1\n"
            lines[number] = f"changed by {device.name}\n"
        content = "".join(lines).encode()
        all.write(device.path("text.txt"), content, False)
        if number is None:
            programs.settle([all.ada, all.ben])
            programs.read_if_there(all.ben.path("text.txt"))
            all.ben.stop()
        elif number == 1:
            all.ada.wait()
    all.ben.go_on()


def both_edit_a_file(all):
    """What does not merge: a second head; then it is settled at the device that is cut."""
    all.ben.stop()
    all.save(all.ada, "long by ben", 2000)
    all.ada.wait()
    all.save(all.ben, "long by ben", 3000)
    all.ben.go_on()
    programs.settle([all.ben, all.ada])
    all.mark("step ben settles")
    heads = all.ben.json("conflicts")["conflicts"][0]["heads"]
    all.ben.command("resolve", all.ben.path("long by ben"), "--keep", heads[0]["version"])


def ben_evicts(all):
    for name in ("many 5", "many 6", "long by ada"):
        all.ben.command("evict", all.ben.path(name))


def ada_saves_what_ben_evicted(all):
    all.save(all.ada, "many 5")


def ben_downloads(all):
    all.ben.command("download", all.ben.path("many 5"))
    all.ben.command("download", all.ben.path("long by ada"))


def ben_removes_a_placeholder(all):
    os.unlink(all.ben.path(".many 6.icloud"))


def ben_restores(all):
    row = next(row for row in all.ben.json("trash")["items"] if row["path"].endswith("many 4"))
    all.ben.command("trash", "restore", row["item"])


def bens_daemon_is_killed_and_starts(all):
    all.ben.kill()
    all.save(all.ben, "while ben was down")
    all.save(all.ada, "made by ada too")
    all.ada.wait()
    all.ben.start()


def bens_daemon_ends_and_starts(all):
    all.ben.end()
    all.ben.start()


STEPS = [value for name, value in list(globals().items())
         if callable(value) and name.startswith(("ben_", "ada_", "both_", "bens_"))]


if __name__ == "__main__":
    begun = time.monotonic()
    chosen = [globals()[name] for name in sys.argv[2:]] or STEPS
    Recording(sys.argv[1]).run(chosen)
    print(f"{len(chosen)} steps in {time.monotonic() - begun:.1f} s")
