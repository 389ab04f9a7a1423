"""Builds the core for a browser and asks it what the native build was asked; see check-wasm."""

import json
import os
import random
import re
import struct
import subprocess
import sys
import time

import browser
from programs import CHECKOUT, Failure

OUT = os.path.join(CHECKOUT, ".build", "wasm")
MODULE = os.path.join(OUT, "core.wasm")
CASES = os.path.join(CHECKOUT, "Tests", "SyncCoreTests", "Cases", "merge-cases.jsonl")
RELEASED = os.path.join(CHECKOUT, "Tests", "SyncWireTests", "Released")

# What was reached, rounded up: a change that needs more says why.
MOST_BYTES = 900_000
MOST_BYTES_COMPRESSED = 225_000

MERGE, HASH, REWRITE = 1, 2, 5

# The samples of released versions, by how their names begin, and what kind of message each is.
KINDS = [
    ("operations", 1), ("outcomes", 2), ("gap", 2), ("incarnation", 2), ("pull", 3),
    ("entries", 4), ("historyUnknown", 4), ("push", 5), ("position", 6), ("chunks", 7),
    ("versions", 9), ("call", 10), ("message", 11), ("node", 12), ("outbox", 13),
    ("register", 14), ("progress", 15),
]


def run(*command, output=None):
    done = subprocess.run(
        command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=output or sys.stderr, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)} gave {done.returncode}")
    return done.stdout


def build():
    run("swift", "build", "--configuration", "release", "--product", "vectors")
    run("scripts/build-wasm")


def sizes():
    """The bytes of the shipped module, as it is and compressed as servers do it."""
    with open(MODULE, "rb") as file:
        raw = len(file.read())
    return raw, len(run("brotli", "--best", "--stdout", MODULE, output=subprocess.PIPE))


def check_size():
    raw, compressed = sizes()
    print(f"size: {raw} bytes, {compressed} compressed", flush=True)
    if raw > MOST_BYTES or compressed > MOST_BYTES_COMPRESSED:
        raise Failure(f"the module is larger than {MOST_BYTES} or {MOST_BYTES_COMPRESSED} bytes")


# Questions.

def record(question, content):
    return struct.pack(">BI", question, len(content)) + content + struct.pack(">I", 0)


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def merge_question(*texts):
    fields = (varint(number * 2 + 1) + varint(len(text)) + text
              for number, text in enumerate(texts, 1))
    return record(MERGE, b"\x01" + b"".join(fields))


def questions():
    """All but the devices'."""
    with open(CASES, encoding="utf-8") as file:
        for case in map(json.loads, file):
            yield merge_question(*(case[side].encode() for side in ("base", "ours", "theirs")))
    for count in (0, 1, 55, 56, 63, 64, 65, 1000):
        yield record(HASH, bytes(byte * 7 & 0xFF for byte in range(count)))
    for version in sorted(os.listdir(RELEASED)):
        with open(os.path.join(RELEASED, version, "structures.hex"), encoding="ascii") as file:
            for line in file:
                name, digits = line.split()
                kind = next(kind for start, kind in KINDS if name.startswith(start))
                yield record(REWRITE, bytes([kind]) + bytes.fromhex(digits))


def vectors(schedules, asked=None):
    """A file of what the native build answers."""
    path = os.path.join(OUT, "questions")
    with open(path, "wb") as file:
        file.write(b"".join(asked if asked is not None else questions()))
    program = os.path.join(CHECKOUT, ".build", "release", "vectors")
    return run(program, path, str(schedules), output=subprocess.PIPE)


def note_lines(chance, count):
    """A note of so many lines, of about 45 bytes each."""
    return [
        " ".join("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9)))
                 for _ in range(7)).encode() + b"\n" for _ in range(count)]


def edited(chance, lines, share):
    """The lines with a share of them changed, dropped or doubled in number."""
    result = []
    for line in lines:
        if chance.random() >= share:
            result.append(line)
            continue
        result += chance.choice(([b"changed " + line], [], [line, b"new " + line]))
    return result


def measured_questions():
    """Three texts of about 104 KB, of which each side has edited a share."""
    chance = random.Random(1)
    base = note_lines(chance, 2300)
    for share in (0.01, 0.15):
        sides = (edited(chance, base, share) for _ in range(2))
        yield merge_question(*(b"".join(lines) for lines in (base, *sides)))


def measure():
    """The module's size, and how long merges take natively and in Chromium, in milliseconds."""
    build()
    raw, compressed = sizes()
    file = vectors(0, list(measured_questions()))
    program = os.path.join(CHECKOUT, ".build", "release", "vectors")
    timed = run(program, "--time", os.path.join(OUT, "questions"), output=subprocess.PIPE)
    native = [float(line) / 1e6 for line in timed.split()]
    result = browser.result_of("check.html?measure", page_files(file), 300)
    if "times" not in result:
        raise Failure(f"Chromium: {result}")
    figures = {"bytes": raw, "bytes_brotli": compressed, "open_ms": round(result["opened"], 2)}
    for name, ours, theirs in zip(("1_percent", "15_percent"), native, result["times"]):
        figures |= {
            f"merge_{name}_native_ms": round(ours, 3),
            f"merge_{name}_chromium_ms": round(theirs, 3),
            f"merge_{name}_ratio": round(theirs / ours, 2)}
    return figures


# The builds.

def check_interpreted(schedules):
    """The vectors within a module of their own, run by the toolchain's interpreter."""
    begun = time.monotonic()
    path = os.path.join(OUT, f"vectors-{schedules}")
    with open(path, "wb") as file:
        file.write(vectors(schedules))
    run("scripts/build-wasm", "--check", path)
    printed = run("wasmkit", "run", os.path.join(OUT, "check.wasm"), "check",
                  output=subprocess.PIPE)
    # A negative number comes as the number without a sign that has its bits.
    value = int(re.search(rb"i32\((\d+)\)", printed).group(1))
    count = struct.unpack("i", struct.pack("I", value))[0]
    if count <= 0:
        raise Failure(f"wasmkit: vector {-count} of {path} is answered with other bytes")
    seconds = time.monotonic() - begun
    print(f"wasmkit: {count} vectors, equal bytes, {seconds:.0f} s", flush=True)


def page_files(file):
    files = {"vectors": file}
    for path in ("Web/Check/check.html", "Web/Module/core.js", MODULE):
        with open(os.path.join(CHECKOUT, path), "rb") as opened:
            files[os.path.basename(path)] = opened.read()
    return files


def check_in_browser(schedules):
    """The shipped module in headless Chromium."""
    begun = time.monotonic()
    result = browser.result_of("check.html", page_files(vectors(schedules)), 300)
    if "passed" not in result or "failed" in result:
        raise Failure(f"Chromium: {result}")
    seconds = time.monotonic() - begun
    print(
        f"Chromium: {result['passed']} vectors of {schedules} schedules and of merges, equal "
        f"bytes, {seconds:.0f} s, {result['memory']} bytes of memory", flush=True)
