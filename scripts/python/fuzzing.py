"""Builds and runs the fuzzers of Fuzz; see scripts/fuzz."""

import os
import re
import resource
import subprocess
import sys
import time

import fuzz_seeds
from programs import CHECKOUT

PACKAGE = os.path.join(CHECKOUT, "Fuzz")
SECONDS_OF_ONE_INPUT = 1
# By the clock, which counts what other programs take; what is slow is measured again, alone.
SECONDS_UNTIL_INTERRUPTED = 30
MEBIBYTES_OF_ONE_ALLOCATION = 64
MEBIBYTES_IN_ALL = 512

# The most bytes that are tried: enough for each to hold several of everything it can hold.
TARGETS = {
    "requests": 4096,
    "answers": 4096,
    "entries": 4096,
    "device-socket": 4096,
    "rows": 4096,
    "device-core": 4096,
    "predicates": 1024,
    "merge": 2048,
}


def scratch(address):
    return os.path.join(PACKAGE, ".build", "address" if address else "plain")


def build(address):
    """Builds all targets; whether that worked."""
    sanitizers = ["fuzzer", "address"] if address else ["fuzzer"]
    return subprocess.run(
        ["swift", "build", "--package-path", PACKAGE, "--scratch-path", scratch(address),
         "--configuration", "release",
         *(word for name in sanitizers for word in ("--sanitize", name))],
        check=False).returncode == 0


def run(target, seconds, address):
    """Tries a target for so long and prints one line; whether nothing ended it."""
    found = os.path.join(PACKAGE, ".build", "found", target)
    corpus = os.path.join(PACKAGE, ".build", "corpus", target)
    for folder in (found, corpus):
        os.makedirs(folder, exist_ok=True)
    seeds = fuzz_seeds.write(target, os.path.join(PACKAGE, ".build", "seeds", target))
    end = time.monotonic() + seconds
    tried = 0
    while True:
        left = max(1, round(end - time.monotonic()))
        fuzzer = Fuzzer(target, address, found)
        fuzzer.search([corpus, seeds], left)
        tried += fuzzer.tried()
        slow = fuzzer.slow_inputs()
        if slow:
            print(f"{target}: FAILED: over a second\n  the bytes are in {slow[0]}", flush=True)
            return False
        if fuzzer.status == 0:
            print(f"{target}: {tried} inputs tried in {seconds} s, {fuzzer.coverage()}", flush=True)
            return True
        if not fuzzer.was_only_interrupted():
            print(f"{target}: {fuzzer.complaint()}", flush=True)
            return False


class Fuzzer:
    """One run of a target's program."""

    def __init__(self, target, address, found):
        self.program = os.path.join(scratch(address), "release", target)
        self.most_bytes = TARGETS[target]
        self.found = found
        self.status = None
        self.printed = ""

    def search(self, corpora, seconds):
        done = subprocess.run(
            [self.program, *corpora, f"-max_total_time={seconds}", f"-max_len={self.most_bytes}",
             f"-timeout={SECONDS_UNTIL_INTERRUPTED}",
             f"-report_slow_units={SECONDS_OF_ONE_INPUT}", f"-rss_limit_mb={MEBIBYTES_IN_ALL}",
             f"-malloc_limit_mb={MEBIBYTES_OF_ONE_ALLOCATION}", "-print_final_stats=1",
             f"-artifact_prefix={self.found}/"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"}, check=False)
        self.status = done.returncode
        self.printed = done.stderr.decode(errors="replace")

    def tried(self):
        return int((re.findall(r"stat::number_of_executed_units: (\d+)", self.printed) or [0])[-1])

    def coverage(self):
        return "{} edges, {} inputs kept".format(
            *(re.findall(r"cov: (\d+) ft: \d+ corp: (\d+)", self.printed) or [(0, 0)])[-1])

    def artifact(self):
        return (re.findall(r"Test unit written to (\S+)", self.printed) or [None])[-1]

    def was_only_interrupted(self):
        path = self.artifact()
        if path is None or not os.path.basename(path).startswith("timeout-"):
            return False
        return not self.is_slow(path)

    def slow_inputs(self):
        """What took long by the clock, and takes long of the processor, too."""
        paths = [
            os.path.join(self.found, name) for name in sorted(os.listdir(self.found))
            if name.startswith("slow-unit-")]
        return [path for path in paths if self.is_slow(path)]

    def is_slow(self, path):
        """Tries an input alone; one that is done in time is forgotten."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        again = subprocess.run(
            [self.program, path], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if again.returncode != 0 or spent > SECONDS_OF_ONE_INPUT:
            return True
        os.remove(path)
        return False

    def complaint(self):
        lines = [
            line[:300] for line in self.printed.splitlines()
            if re.search(r"ERROR|Fatal error|SUMMARY", line)]
        reason = "; ".join(lines[:3]) or self.printed[-500:]
        return f"FAILED: {reason}\n  the bytes are in {self.artifact()}"


if __name__ == "__main__":
    sys.exit("this is a module; see scripts/fuzz")
