"""Builds the core for a browser and asks it what the native build was asked; see check-wasm."""

import collections
import json
import os
import random
import re
import struct
import subprocess
import sys
import time

import browser
import fuzz_seeds
from programs import CHECKOUT, Failure

OUT = os.path.join(CHECKOUT, ".build", "wasm")
MODULE = os.path.join(OUT, "core.wasm")
CASES = os.path.join(CHECKOUT, "Tests", "SyncCoreTests", "Cases", "merge-cases.jsonl")
RELEASED = os.path.join(CHECKOUT, "Tests", "SyncWireTests", "Released")

# What was reached, rounded up: a change that needs more says why.
# The last ones: a device goes on from a restored server, 160 KB of the module; no choice drops
# what nobody was told of, and a slow removal comes back whole, 20 KB; packages are one document,
# 80 KB; a device can have placeholders for contents, 45 KB; who has read a package is known, what
# is behind is asked for once, settled items are one record each, 76 KB; room is given back, 8 KB.
MOST_BYTES = 1_390_000
MOST_BYTES_COMPRESSED = 337_000

MERGE, HASH, REWRITE = 1, 2, 5

# The samples of released versions, by how their names begin, and what kind of message each is; none
# for what the browser has no use for.
KINDS = [
    ("operations", 1), ("outcomes", 2), ("gap", 2), ("incarnation", 2), ("pull", 3),
    ("entries", 4), ("historyUnknown", 4), ("push", 5), ("position", 6), ("chunks", 7),
    ("versions", 9), ("version-", 8), ("call", 10), ("message", 11), ("node", 12),
    ("outbox", 13), ("register", 14), ("progress", 15), ("trashRequest", 16), ("trash", 17),
    ("bundle", None),
]
# How many schedules go into one file of vectors: each takes about 2 MB.
SLICE = 20
# What goes over a device's socket, which no browser reaches: the shipped module leaves it out.
SOCKET_KINDS = (10, 11)


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


def samples():
    """The kind and the bytes of each sample of a released version."""
    for version in sorted(os.listdir(RELEASED)):
        for file_name in sorted(os.listdir(os.path.join(RELEASED, version))):
            with open(os.path.join(RELEASED, version, file_name), encoding="ascii") as file:
                for name, digits in map(str.split, file):
                    kind = next(kind for start, kind in KINDS if name.startswith(start))
                    if kind is not None:
                        yield kind, fuzz_seeds.whole(name, bytes.fromhex(digits))


def damaged(chance, content):
    """Bytes cut short, and with one changed: most cannot be read, and none may be read apart."""
    yield content[:chance.randrange(len(content))]
    for _ in range(3):
        at = chance.randrange(len(content))
        yield content[:at] + bytes([chance.randrange(256)]) + content[at + 1:]


def codec_questions(with_socket):
    chance = random.Random(1)
    for kind, content in samples():
        if with_socket or kind not in SOCKET_KINDS:
            for message in (content, *damaged(chance, content)):
                yield record(REWRITE, bytes([kind]) + message)


def questions(with_socket=True):
    """All but the devices'."""
    with open(CASES, encoding="utf-8") as file:
        for case in map(json.loads, file):
            yield merge_question(*(case[side].encode() for side in ("base", "ours", "theirs")))
    for count in (0, 1, 55, 56, 63, 64, 65, 1000):
        yield record(HASH, bytes(byte * 7 & 0xFF for byte in range(count)))
    yield from codec_questions(with_socket)


def slices(schedules):
    """Runs of schedules whose vectors fit one file: the first, and how many."""
    for first in range(0, max(schedules, 1), SLICE):
        yield first, min(SLICE, schedules - first)


def vectors(schedules, asked=None, first=0):
    """A file of what the native build answers, and what devices of schedules do."""
    path = os.path.join(OUT, "questions")
    with open(path, "wb") as file:
        file.write(b"".join(asked if asked is not None else questions()))
    program = os.path.join(CHECKOUT, ".build", "release", "vectors")
    answered = run(program, path, str(schedules), str(first), output=subprocess.PIPE)
    check_samples(answered)
    return answered


def records(file):
    """The question, what goes in and what comes out, of each record of a file of vectors."""
    at = 0
    while at < len(file):
        question, count = struct.unpack_from(">BI", file, at)
        given = file[at + 5:at + 5 + count]
        at += 5 + count
        count, = struct.unpack_from(">I", file, at)
        yield question, given, file[at + 4:at + 4 + count]
        at += 4 + count


def check_samples(answered):
    """Released bytes are read, and written again as the same: or the builds agree on nothing."""
    known = {bytes([kind]) + message for kind, message in samples()}
    for question, given, answer in records(answered):
        if question == REWRITE and given in known and answer != given[1:]:
            raise Failure(f"a released message of kind {given[0]} is rewritten as other bytes")


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

def check_natively(schedules):
    """The native build answers in bytes as its devices did in the simulator."""
    begun = time.monotonic()
    program = os.path.join(CHECKOUT, ".build", "release", "vectors")
    total = 0
    for first, count in slices(schedules):
        path = written_vectors(first, count)
        value = int(run(program, "--check", path, output=subprocess.PIPE))
        if value <= 0:
            raise Failure(f"natively, vector {-value} of {path} is answered with other bytes")
        total += value
    print(f"native: {total} vectors, {schedules} schedules, equal bytes, "
          f"{time.monotonic() - begun:.0f} s", flush=True)


def check_interpreted(schedules):
    """The vectors within a module of their own, run by the toolchain's interpreter."""
    begun = time.monotonic()
    total = 0
    for first, count in slices(schedules):
        path = written_vectors(first, count)
        run("scripts/build-wasm", "--check", path)
        total += interpreted(path)
    print(f"wasmkit: {total} vectors, {schedules} schedules, equal bytes, "
          f"{time.monotonic() - begun:.0f} s", flush=True)


def written_vectors(first, count):
    """The name of a file of vectors; only the first has what is not of schedules."""
    path = os.path.join(OUT, "vectors")
    with open(path, "wb") as file:
        file.write(vectors(count, None if first == 0 else [], first))
    return path


def interpreted(path):
    """How many vectors the module that holds them has answered."""
    printed = run("wasmkit", "run", os.path.join(OUT, "check.wasm"), "check",
                  output=subprocess.PIPE)
    # A negative number comes as the number without a sign that has its bits.
    value = int(re.search(rb"i32\((\d+)\)", printed).group(1))
    count = struct.unpack("i", struct.pack("I", value))[0]
    if count <= 0:
        raise Failure(f"wasmkit: vector {-count} of {path} is answered with other bytes")
    return count


def page_files(file):
    files = {"vectors": file}
    for path in ("Web/Check/check.html", "Web/Module/core.js", MODULE):
        with open(os.path.join(CHECKOUT, path), "rb") as opened:
            files[os.path.basename(path)] = opened.read()
    return files


def check_in_browser(schedules):
    """The shipped module in headless Chromium."""
    begun = time.monotonic()
    counts = collections.Counter()
    memory = 0
    for first, count in slices(schedules):
        asked = list(questions(with_socket=False)) if first == 0 else []
        file = vectors(count, asked, first)
        result = browser.result_of("check.html", page_files(file), 300)
        if "passed" not in result or "failed" in result:
            raise Failure(f"Chromium, from schedule {first}: {result}")
        counts.update(result["counts"])
        memory = max(memory, result["memory"])
    told = ", ".join(f"{count} {question}" for question, count in counts.items())
    print(
        f"Chromium: {counts.total()} vectors ({told}), {schedules} schedules, equal bytes, "
        f"{time.monotonic() - begun:.0f} s, {memory} bytes of memory", flush=True)
