"""The measurement of predicates: ours, a closure's and GNUstep's time for one dictionary."""

import json
import os
import subprocess
import sys

import gnustep
import programs

COUNT = 100_000


def predicates(folder):
    """Predicates over 100,000 dictionaries: nanoseconds each, beside a closure and GNUstep."""
    del folder
    theirs = gnustep.build() if gnustep.is_installed() else None
    rows = [with_gnustep(json.loads(line), theirs) for line in measure().splitlines()]
    return {"n": COUNT, "gnustep": gnustep.version() if theirs else None, "predicates": rows}


def with_gnustep(row, program):
    if program:
        matches, nanoseconds = gnustep.measure(program, row["predicate"], COUNT)
        row |= {"gnustep_matches": matches, "gnustep_ns": nanoseconds}
    return row


def measure():
    scratch = os.path.join(programs.CHECKOUT, ".build", "benchmarks")
    options = [
        "--package-path", os.path.join(programs.CHECKOUT, "Benchmarks"),
        "--scratch-path", scratch, "--configuration", "release", "--product", "predicates"]
    if subprocess.run(
            ["swift", "build", *options], stdout=sys.stderr, check=False).returncode != 0:
        raise programs.Failure("the build of Benchmarks failed")
    return subprocess.run(
        [os.path.join(scratch, "release", "predicates"), str(COUNT)], capture_output=True,
        text=True, check=True).stdout
