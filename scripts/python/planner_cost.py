"""The measurement of the planner: what of its trees it touches for one change, counted."""

import json
import os
import subprocess
import sys

import programs

SIZES = (1_000, 1_000_000)


def planner(_folder):
    """Tree entries that one change reads or writes, of 1,000 and 1,000,000 files: counted."""
    # A debug build counts; a release build has nothing to count with.
    build = ["swift", "build", "--package-path", programs.CHECKOUT, "--product", "planner"]
    if subprocess.run(build, stdout=sys.stderr, check=False).returncode != 0:
        raise programs.Failure("the build of planner failed")
    program = os.path.join(programs.CHECKOUT, ".build", "debug", "planner")
    lines = subprocess.run(
        [program, *map(str, SIZES)], capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in lines.splitlines()]
    touched = {(row["change"], row["files"]): row["touched"] for row in rows}
    changes = [row["change"] for row in rows if row["files"] == SIZES[0]]
    growth = [touched[change, SIZES[1]] / touched[change, SIZES[0]] for change in changes]
    return {
        "c": max(row["factor"] for row in rows),
        "growth": round(max(growth), 2),
        "touched": {
            change: [touched[change, size] for size in SIZES] for change in changes},
    }
