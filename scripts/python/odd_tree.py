"""A tree with the names, modes, links and times that programs get wrong."""

import os
import random

NAMES = [
    b"plain.md",
    b"two words.md",
    b" leading and trailing ",
    b"-rf",
    b"--",
    b"...",
    b".hidden",
    b"trailing.",
    b"new\nline.md",
    b"tab\tand\x7fdelete",
    b"back\\slash.md",
    b"quotes \" ' `.md",
    b"glob * ? [a] {b}.md",
    b"percent %20 %2F.md",
    b"dollar $HOME.md",
    b"colon: pipe | angle <>.md",
    b"CON.md",
    "caf\u00e9.md".encode(),  # composed
    "cafe\u0301.md".encode(),  # decomposed: another name, though an equal text
    "\u212bngstr\u00f6m.md".encode(),  # the sign of the unit
    "\u00c5ngstr\u00f6m.md".encode(),  # the letter
    "\U0001f600 & # %.md".encode(),
    "\u200b.md".encode(),  # nothing to be seen
    "\u202egnp.md".encode(),  # reads backwards
    "\u65e5\u672c\u8a9e\u306e\u30ce\u30fc\u30c8.md".encode(),
    "\u05e2\u05d1\u05e8\u05d9\u05ea.md".encode(),
    b"latin1 \xe9.md",  # no UTF-8
    b"\xff\xfe\x80",
    b"\xc3(",  # half a character
    b"\xed\xa0\x80.md",  # a surrogate
    b"Case.md",
    b"case.md",
    b"CASE.MD",
    b"x" * 255,
    "\u00e9".encode() * 127,
    b"~tilde",
    b"#",
    b"a.tar.gz",
    b".a.icloud",
    b"note (conflict).md",
]

# Paths, so that the longest names nest without passing what a path may be.
FOLDER_NAMES = [name for name in NAMES if len(name) < 100]

MODES = [0o644, 0o644, 0o644, 0o600, 0o640, 0o664, 0o755, 0o700, 0o444, 0o400, 0o777]
FOLDER_MODES = [0o755, 0o755, 0o700, 0o750, 0o775, 0o777]

TIMES = [
    0,
    1,
    -1,  # a nanosecond before 1970
    -1_000_000_001,
    -86_400_000_000_000 * 365,
    999_999_999,
    1_500_000_000_000_000_000,
    1_700_000_000_123_456_789,
    1_700_000_000_999_999_999,
    2_147_483_648_000_000_001,  # past 32 bits of seconds
    4_294_967_296_500_000_000,
]

TARGETS = [
    b"plain.md",
    b"../plain.md",
    b"nowhere",
    b"/nowhere/absolute",
    b".",
    b"..",
    b"\xff no text \n",
    b"t" * 1000,
]

SIZES = [0, 1, 2, 100, 1000, 1024, 4095, 4096, 4097, 20_000, 65_536, 100_000]


def write(folder, files, folders, seed):
    """Writes the tree below a folder, which may exist; the arguments decide every byte."""
    chance = random.Random(seed)
    os.makedirs(folder, exist_ok=True)
    places = [folder] + make_folders(folder, folders, chance)
    for number in range(files):
        place = places[number % len(places)]
        path = free_path(place, NAMES, number // len(places), chance)
        if number % 20 == 19:
            make_link(path, number, chance)
        else:
            make_file(path, number, chance)
    for path in places[1:]:
        os.chmod(path, chance.choice(FOLDER_MODES))


def make_folders(folder, count, chance):
    made = []
    for number in range(count):
        shallow = [path for path in made if path.count(b"/") - folder.count(b"/") < 4]
        parent = chance.choice(shallow) if shallow and number % 3 else folder
        path = free_path(parent, FOLDER_NAMES, number, chance)
        os.mkdir(path)
        made.append(path)
    return made


def free_path(parent, names, number, chance):
    """Each odd name in its turn; a number goes before it where it is taken."""
    name = names[(number + chance.randrange(len(names))) % len(names)]
    while os.path.lexists(os.path.join(parent, name)):
        name = (b"%d " % chance.randrange(10**6) + name)[:255]
    return os.path.join(parent, name)


def make_file(path, number, chance):
    size = 5_000_000 if number == 500 else chance.choice(SIZES)
    with open(path, "xb") as file:
        file.write(content(size, number, chance))
    os.chmod(path, chance.choice(MODES))
    time = chance.choice(TIMES)
    os.utime(path, ns=(time, time))


def make_link(path, number, chance):
    os.symlink(TARGETS[number // 20 % len(TARGETS)], path)
    time = chance.choice(TIMES)
    os.utime(path, ns=(time, time), follow_symlinks=False)


def content(size, number, chance):
    """Bytes, lines, or lines that end as on other systems."""
    if number % 3 == 0:
        return chance.randbytes(size)
    ending = b"\r\n" if number % 3 == 1 else b"\n"
    line = b"line %d of note %d" % (chance.randrange(1000), number) + ending
    return (line * (size // len(line) + 1))[:size]
