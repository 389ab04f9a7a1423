"""Inputs that the fuzzers begin with: what the tests have, and what was once found."""

import json
import os
import shutil

from programs import CHECKOUT

RELEASED = os.path.join(CHECKOUT, "Tests", "SyncWireTests", "Released")
CASES = os.path.join(CHECKOUT, "Tests", "SyncCoreTests", "Cases")
# A folder a target: inputs that ended it once, or that it would hardly come upon by itself.
KEPT = os.path.join(CHECKOUT, "Fuzz", "Corpus")

# Which lines of the released samples begin with what, for each target.
SAMPLES = {
    "requests": ("operations", "pull", "chunks", "bundle", "trashRequest"),
    "answers": (
        "outcomes", "gap", "incarnation", "chunks", "bundle", "version", "position", "trash"),
    "entries": ("entries", "historyUnknown", "push"),
    "device-socket": ("call", "message"),
    "rows": ("node", "outbox", "register", "progress"),
}


def write(target, folder):
    """Writes the target's seeds into the folder, and nothing else; gives the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, content in seeds(target):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    return folder


def seeds(target):
    """Names and contents."""
    yield from kept(target)
    if target == "predicates":
        for case in lines_of_json("predicate-cases.jsonl"):
            yield case["id"], case["format"].encode()
    elif target == "merge":
        for case in lines_of_json("merge-cases.jsonl"):
            texts = (case[side].encode() for side in ("base", "ours", "theirs"))
            yield case["id"], b"\x01".join(texts)
    else:
        yield from samples(SAMPLES.get(target, ()))


def samples(beginnings):
    for version in sorted(os.listdir(RELEASED)):
        for file_name in sorted(os.listdir(os.path.join(RELEASED, version))):
            with open(os.path.join(RELEASED, version, file_name), encoding="ascii") as file:
                for name, digits in map(str.split, file):
                    if name.startswith(beginnings):
                        yield f"{version}-{name}", whole(name, bytes.fromhex(digits))


def whole(name, structure):
    """The bytes as they travel: a message begins with its format; a row is kept without."""
    return structure if name.startswith(SAMPLES["rows"]) else b"\x01" + structure


def kept(target):
    folder = os.path.join(KEPT, target)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        with open(os.path.join(folder, name), "rb") as file:
            yield name, file.read()


def lines_of_json(name):
    with open(os.path.join(CASES, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file]
