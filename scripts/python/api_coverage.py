"""Compares the library's public symbols with Apple's; see api-coverage."""

import json
import os
import platform
import subprocess
import tempfile

from programs import CHECKOUT, Failure

LIST = os.path.join(CHECKOUT, "scripts", "python", "apple_members.txt")
MODULES = os.path.join(CHECKOUT, ".build", "debug", "Modules")
MAP = os.path.join(CHECKOUT, ".build", "debug", "CLinux.build", "module.modulemap")


def wanted():
    """The list as (section, symbol, reason), where a reason says why it is not ours."""
    section = None
    with open(LIST, encoding="utf-8") as lines:
        for line in map(str.strip, lines):
            if not line or line.startswith("#"):
                continue
            if line.startswith("["):
                section = line[1:-1]
            elif line.startswith("- "):
                symbol, _, reason = line[2:].rpartition(": ")
                yield section, symbol, reason
            else:
                yield section, line, None


def provided():
    """Every public symbol of the library, also those that it adds to Foundation's types."""
    machine = platform.machine()
    with tempfile.TemporaryDirectory(prefix="ubiquity-symbols-") as folder:
        command = [
            "swift", "symbolgraph-extract", "-module-name", "Ubiquity", "-I", MODULES,
            "-Xcc", f"-fmodule-map-file={MAP}",
            "-target", f"{machine}-unknown-linux-gnu", "-output-dir", folder,
            "-minimum-access-level", "public", "-skip-synthesized-members",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"the library's symbols cannot be read: {done.stderr.strip()}")
        names = set()
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for symbol in json.load(file)["symbols"]:
                    names.add(".".join(symbol["pathComponents"]))
        return names


def compare():
    """Prints what is missing, and gives whether nothing is."""
    names = provided()
    counts, missing, other = {}, [], 0
    for section, symbol, reason in wanted():
        if reason is not None:
            other += 1
            continue
        has = symbol in names
        there, of = counts.get(section, (0, 0))
        counts[section] = (there + has, of + 1)
        if not has:
            missing.append((section, symbol))
    for section, (there, of) in counts.items():
        print(f"{section}: {there} of {of}")
    for section, symbol in missing:
        print(f"missing: {symbol} ({section})")
    print(f"{len(missing)} missing, {other} not ours to provide")
    return not missing
