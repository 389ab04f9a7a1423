"""GNUstep's NSPredicate as a program of its own, to compare ours with."""

import json
import os
import shutil
import subprocess

import programs

SOURCE = os.path.join(programs.CHECKOUT, "Benchmarks", "GNUstep", "predicates.m")
PROGRAM = os.path.join(programs.CHECKOUT, ".build", "gnustep-predicates")


def is_installed():
    return shutil.which("gnustep-config") is not None and shutil.which("gcc") is not None


def build():
    """Compiles the program, and gives its path."""
    if not is_installed():
        raise programs.Failure(
            "GNUstep is not installed: gobjc, gnustep-base-runtime, libgnustep-base-dev")
    os.makedirs(os.path.dirname(PROGRAM), exist_ok=True)
    flags, libraries = (
        subprocess.run(
            ["gnustep-config", option], capture_output=True, text=True, check=True
        ).stdout.split()
        for option in ("--objc-flags", "--base-libs"))
    done = subprocess.run(
        ["gcc", *flags, "-std=gnu11", "-O2", "-o", PROGRAM, SOURCE, *libraries],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise programs.Failure(f"GNUstep's program does not compile: {done.stderr}")
    return PROGRAM


def version():
    """What the comparison was made with."""
    done = subprocess.run(
        ["dpkg-query", "--show", "libgnustep-base*", "gobjc"], capture_output=True, text=True,
        check=False)
    packages = [line.split("\t") for line in done.stdout.splitlines()]
    return ", ".join(f"{name} {number}" for name, number in packages if number)


def answer(program, row):
    """true, false, parse-error or eval-error; crash if it ended otherwise."""
    done = subprocess.run(
        [program, "answer"], input=json.dumps(row).encode(), capture_output=True, timeout=60,
        check=False)
    return done.stdout.decode().strip() if done.returncode == 0 else "crash"


def measure(program, predicate, count):
    """The matches, and the nanoseconds a dictionary."""
    done = subprocess.run(
        [program, "measure", predicate, str(count)], capture_output=True, text=True, timeout=300,
        check=False)
    if done.returncode != 0:
        raise programs.Failure(f"GNUstep does not take {predicate}: {done.stderr}")
    matches, nanoseconds = done.stdout.split()
    return int(matches), int(nanoseconds)
