"""The measurements of scripts/bench: each takes a folder to work in and gives its figures."""

import contextlib
import os
import random
import time

import programs
import merge_speed
import odd_tree
import trees
import wasm as browser_core

LOOK_SECONDS = 0.0001


@contextlib.contextmanager
def two_devices(folder):
    """A cloud with the devices A and B, ready; ended however the measurement ends."""
    cloud = programs.Cloud(folder)
    cloud.add_account("anna")
    devices = [programs.Device(folder, name) for name in ("A", "B")]
    try:
        cloud.start()
        for device in devices:
            device.join(cloud)
            device.start()
        programs.settle(devices)
        yield cloud, *devices
    finally:
        for program in [*devices, cloud]:
            program.kill()


class ProcessorTime:
    """The processor seconds that the three programs use from here on."""

    def __init__(self, cloud, *devices):
        self.processes = {"server": cloud.process}
        self.processes |= {device.name: device.process for device in devices}
        self.before = self.now()

    def now(self):
        return {name: process.processor_seconds() for name, process in self.processes.items()}

    def figures(self):
        now = self.now()
        return {f"cpu_{name}_s": round(now[name] - self.before[name], 3) for name in now}


def propagation(folder):
    """A note of 1 KB saved on A until B reads all of it: 100 notes, one at a time."""
    with two_devices(folder) as (cloud, one, other):
        spent = ProcessorTime(cloud, one, other)
        chance = random.Random(1)
        samples = [cross(one, other, number, chance) for number in range(100)]
        from_save, from_saved = (sorted(column) for column in zip(*samples))
        return {
            "n": len(samples),
            "p50_ms": milliseconds(percentile(from_save, 50)),
            "p99_ms": milliseconds(percentile(from_save, 99)),
            "min_ms": milliseconds(from_save[0]),
            "max_ms": milliseconds(from_save[-1]),
            "after_save_p50_ms": milliseconds(percentile(from_saved, 50)),
            "after_save_p99_ms": milliseconds(percentile(from_saved, 99)),
            **spent.figures(),
        }


def cross(one, other, number, chance):
    """One note: the seconds from the first byte of its save, and from the end of its save."""
    name = f"note {number}.md"
    content = chance.randbytes(512).hex().encode()
    target = other.path(name)
    time.sleep(chance.uniform(0.05, 0.15))
    begun = time.perf_counter()
    programs.save(one.path(name), content)
    saved = time.perf_counter()
    while programs.read_if_there(target) != content:
        if time.perf_counter() - saved > 60:
            raise programs.Failure(f"{name} did not cross within a minute")
        time.sleep(LOOK_SECONDS)
    readable = time.perf_counter()
    return readable - begun, readable - saved


def tree(folder):
    """1,000 files in 50 folders that are on A already, until B has all of them."""
    with two_devices(folder) as (cloud, one, other):
        one.end()
        odd_tree.write(os.fsencode(one.documents), 1000, 50, 1)
        one.launch()
        spent = ProcessorTime(cloud, one, other)
        begun = time.perf_counter()
        programs.until(one.is_ready, "A answers")
        programs.settle([one, other], 120)
        wall = time.perf_counter() - begun
        differences = trees.differences(
            trees.read(os.fsencode(one.documents)), trees.read(os.fsencode(other.documents)))
        return {
            "n": 1000, "wall_s": round(wall, 3), "differences": len(differences),
            **spent.figures(),
        }


def wasm(_folder):
    """The browser's core: its size, and merges natively and in Chromium, best of 25."""
    return browser_core.measure()


def merge(folder):
    """Merges of texts, typical and large: the best time, and the most memory of a process."""
    return merge_speed.measure(folder)


def percentile(ordered, percent):
    """The nearest rank, of values in ascending order."""
    return ordered[min(len(ordered) - 1, max(0, -(-len(ordered) * percent // 100) - 1))]


def milliseconds(seconds):
    return round(seconds * 1000, 3)
