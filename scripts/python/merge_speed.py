"""How long merges of large texts take, and how much memory: each in a process of its own."""

import os
import random
import subprocess
import tempfile

import wasm
from programs import CHECKOUT, Failure


def lines_of(numbers):
    return [b"line %d of a text that goes on for a while\n" % number for number in numbers]


def typical():
    """104 KB, of which each side has edited a hundredth of the lines."""
    chance = random.Random(1)
    base = wasm.note_lines(chance, 2300)
    return base, *(wasm.edited(chance, base, 0.01) for _ in range(2))


def interleaved():
    """10 MB with 2,000 edits, by one side and the other in turn."""
    base = lines_of(number % 50_000 for number in range(220_000))
    first, second = list(base), list(base)
    for edit in range(1000):
        first[edit * 220] = b"first %d\n" % edit
        second[edit * 220 + 110] = b"second %d\n" % edit
    return base, first, second


def repeated():
    """One line two million times, edited at both ends."""
    base = [b"x\n"] * 2_000_000
    return base, [b"a\n"] + base[:1_500_000], base + [b"b\n"]


def dear():
    """10 MB of three lines in turn, from which one side has taken 10,000: it is given up."""
    base = [b"a\n", b"b\n", b"c\n"] * 1_666_666
    first = [line for index, line in enumerate(base) if index % 500 != 3]
    return base, first, base + [b"end\n"]


TEXTS = {"100_kb_1_percent": (typical, 50), "10_mb_2000_edits": (interleaved, 5),
         "repeated_line": (repeated, 5), "worst": (dear, 2)}


def measure(folder):
    wasm.run("swift", "build", "--configuration", "release", "--product", "vectors")
    figures = {}
    for name, (texts, attempts) in TEXTS.items():
        milliseconds, mebibytes = merge(folder, texts(), attempts)
        figures[f"{name}_ms"] = round(milliseconds, 2)
        figures[f"{name}_peak_mib"] = round(mebibytes, 1)
    return figures


def merge(folder, texts, attempts):
    """The best of the attempts, and the most memory of the process, the three texts included."""
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(wasm.merge_question(*(b"".join(lines) for lines in texts)))
        file.flush()
        program = os.path.join(CHECKOUT, ".build", "release", "vectors")
        child = subprocess.Popen(
            [program, "--time", file.name, str(attempts)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE)
        printed = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        child.stdout.close()
    if child.returncode != 0:
        raise Failure(f"vectors ended with {child.returncode}")
    return float(printed) / 1e6, usage.ru_maxrss / 1024
