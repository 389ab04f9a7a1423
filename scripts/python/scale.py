"""Very many files: what they cost at rest, at a start, and when a folder of them is renamed."""

import os
import random
import shutil
import time

import programs
import transfers

IDLE_SECONDS = 60


def write_files(folder, count, size, folders, seed=1):
    """Files of random bytes, evenly in so many folders below one."""
    chance = random.Random(seed)
    for number in range(folders):
        os.makedirs(os.path.join(folder, f"d{number:04}"))
    for number in range(count):
        path = os.path.join(folder, f"d{number % folders:04}", f"n{number:06}.txt")
        with open(path, "wb") as file:
            file.write(chance.randbytes(size))


def count_files(folder):
    return sum(len(files) for _, _, files in os.walk(folder))


def resident(process):
    """Resident memory in MiB, and the part of it that is the process's own."""
    found = {}
    with open(f"/proc/{process.pid}/status", encoding="ascii", errors="replace") as file:
        for line in file:
            key, _, value = line.partition(":")
            if key in ("VmRSS", "RssAnon"):
                found[key] = round(int(value.split()[0]) / 1024, 1)
    return found["VmRSS"], found["RssAnon"]


def memory(devices, cloud):
    figures = {}
    for name, owner in (*((device.name, device) for device in devices), ("server", cloud)):
        figures[f"rss_{name}_mib"], figures[f"anon_{name}_mib"] = resident(owner.process)
    return figures


def wait_for_quiet(owners, seconds=120):
    """Until no program has used the processor for three seconds: its work is done."""
    before, since = None, time.monotonic()
    end = since + seconds
    while time.monotonic() < end:
        now = [owner.process.processor_seconds() for owner in owners]
        if now != before:
            before, since = now, time.monotonic()
        elif time.monotonic() - since > 3:
            return
        time.sleep(0.2)


def at_rest(folder, count=100_000, size=100, folders=1000):
    """Many files that nobody changes: first sync, memory, an idle minute, a start of each side."""
    with transfers.two_devices(folder, True) as (cloud, one, other, wire):
        one.end()
        write_files(one.documents, count, size, folders)
        one.launch()
        spent = transfers.Spent(wire, cloud, one, other)
        programs.until(one.is_ready, "A answers", 60, 0.02)
        programs.settle([one, other], 900)
        first = spent.figures()
        yield {"case": "first sync", "files": count, **first}
        if count_files(other.documents) != count:
            raise programs.Failure("B does not have all files")
        yield idle("idle after the first sync", cloud, one, other, wire)
        for device in (one, other):
            yield start(device, one, other)
        cloud.end()
        cloud.start()
        programs.settle([one, other], 120)
        yield idle("idle after a start of all", cloud, one, other, wire)


def idle(case, cloud, one, other, wire):
    """A minute in which nobody does anything."""
    owners = (cloud, one, other)
    wait_for_quiet(owners)
    spent = transfers.Spent(wire, cloud, one, other)
    time.sleep(IDLE_SECONDS)
    figures = spent.figures()
    kept = ("wall_s", "cpu_server_s", "cpu_A_s", "cpu_B_s", "bytes_to_server", "bytes_to_devices")
    return {"case": case, **{key: figures[key] for key in kept}, **memory((one, other), cloud)}


def start(device, one, other):
    """Ends and starts a device: the seconds until it answers, and until it says "in sync"."""
    device.end()
    begun = time.perf_counter()
    device.launch()
    programs.until(device.is_ready, "it answers", 60, 0.01)
    ready = time.perf_counter() - begun
    device.wait(120)
    in_sync = time.perf_counter() - begun
    processor = device.process.processor_seconds()
    programs.settle([one, other], 120)
    return {"case": f"start of {device.name}", "ready_s": round(ready, 3),
            "in_sync_s": round(in_sync, 3), "cpu_s": round(processor, 2),
            "peak_mib": transfers.peak(device), "rss_mib": resident(device.process)[0]}


def rename(folder, count=10_000, folders=1):
    """A folder of many files is renamed: bytes of both ways, and the time until B has it."""
    with transfers.two_devices(folder, True) as (cloud, one, other, wire):
        one.end()
        write_files(one.path("old"), count, 1024, folders)
        one.launch()
        programs.until(one.is_ready, "A answers", 60, 0.02)
        programs.settle([one, other], 300)
        wait_for_quiet((cloud, one, other))
        spent = transfers.Spent(wire, cloud, one, other)
        os.rename(one.path("old"), one.path("new"))
        programs.until(
            lambda: os.path.exists(other.path("new")), "the folder is renamed", 60, 0.0005)
        arrived = time.perf_counter() - spent.begun
        programs.settle([one, other], 60)
        figures = spent.figures()
        if os.path.exists(other.path("old")) or count_files(other.path("new")) != count:
            raise programs.Failure("the folder is not the same on both")
        return {"case": "rename", "files": count, "folders": folders,
                "arrived_s": round(arrived, 4), **figures}


def measure(folder):
    """100,000 files at rest and at a start; a renamed folder of 10,000, flat and in 100 folders."""
    cases = (
        at_rest,
        lambda place: [rename(place)],
        lambda place: [rename(place, folders=100)],
    )
    for number, case in enumerate(cases):
        place = os.path.join(folder, str(number))
        os.mkdir(place)
        yield from case(place)
        shutil.rmtree(place, ignore_errors=True)
