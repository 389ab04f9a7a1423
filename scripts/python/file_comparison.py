"""The same work on files for Ubiquity and for what people use instead, in one invocation.

Run as a program it measures and prints a JSON object for each run; `scripts/bench files` starts it
in a network namespace of its own, so that the loopback device counts nobody else's bytes.
"""

import argparse
import contextlib
import fcntl
import json
import os
import random
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import file_peers
import programs
import scale
import transfers

MEBIBYTE = transfers.MEBIBYTE
NOTES = 20


class Measured:
    """Wall and processor seconds of all its programs, and bytes on the wire, from here on."""

    def __init__(self, peer):
        self.peer = peer
        self.processor = peer.usage.seconds()
        self.bytes = loopback_bytes()
        self.begun = time.perf_counter()

    def figures(self):
        wall = time.perf_counter() - self.begun
        # A daemon hears a little later what its children have used.
        time.sleep(0.3)
        return {"wall_s": round(wall, 4),
                "cpu_s": round(self.peer.usage.seconds() - self.processor, 2),
                "wire_bytes": loopback_bytes() - self.bytes,
                "peak_mib": [round(peak, 1) for peak in self.peer.usage.peaks()]}


def loopback_bytes():
    """What the loopback device has carried, with the heads of packets."""
    with open("/proc/net/dev", encoding="ascii") as file:
        for line in file:
            if line.strip().startswith("lo:"):
                return int(line.split(":")[1].split()[0])
    return 0


# Workloads: each a generator of figures for a peer that is ready.

def small(peer):
    """10,000 files of 1 KB in 100 folders."""
    return first_sync(peer, lambda: scale.write_files(peer.one, 10_000, 1024, 100))


def large(peer):
    """8 files of 128 MiB."""
    def write():
        for number in range(8):
            transfers.write_noise(
                os.path.join(peer.one, f"long {number}.bin"), 128 * MEBIBYTE, number)
    return first_sync(peer, write)


def first_sync(peer, write):
    peer.stop_one()
    write()
    measured = Measured(peer)
    peer.start_one()
    peer.settle()
    figures = measured.figures()
    expect_same(peer)
    return figures


def front(peer):
    """One byte put in front of a file of 256 MiB."""
    path = os.path.join(peer.one, "long.bin")
    transfers.write_noise(path, 256 * MEBIBYTE)
    peer.settle()
    time.sleep(2)
    changed = path + "~"
    with open(path, "rb") as file, open(changed, "wb") as other:
        other.write(b"x")
        shutil.copyfileobj(file, other, MEBIBYTE)
    measured = Measured(peer)
    os.rename(changed, path)
    arrive(peer, lambda: size(os.path.join(peer.other, "long.bin")) == 256 * MEBIBYTE + 1)
    figures = measured.figures()
    peer.settle()
    expect_same(peer)
    return figures


def rename(peer):
    """A folder of 10,000 files of 1 KB in 100 folders gets another name."""
    old, new = (os.path.join(peer.one, name) for name in ("old", "new"))
    peer.stop_one()
    scale.write_files(old, 10_000, 1024, 100)
    peer.start_one()
    peer.settle()
    time.sleep(4)
    measured = Measured(peer)
    os.rename(old, new)
    names = [os.path.join(peer.other, name) for name in ("old", "new")]
    arrive(peer, lambda: not os.path.exists(names[0])
           and file_peers.count_files(names[1]) == 10_000)
    figures = measured.figures()
    expect_same(peer)
    return figures


def rest(peer):
    """100,000 files of 100 bytes in 1,000 folders that nobody changes, after their first sync."""
    peer.stop_one()
    scale.write_files(peer.one, 100_000, 100, 1000)
    first = Measured(peer)
    peer.start_one()
    peer.settle(1800)
    figures = {"first_sync_s": first.figures()["wall_s"],
               "first_sync_cpu_s": first.figures()["cpu_s"]}
    if file_peers.count_files(peer.other) != 100_000:
        raise programs.Failure("B does not have all files")
    time.sleep(15)
    peer.stop_one()
    begun = Measured(peer)
    peer.start_one()
    peer.settle()
    again = begun.figures()
    figures |= {"wall_s": again["wall_s"], "cpu_s": again["cpu_s"]}
    time.sleep(10 if peer.is_live else 0)
    idle = Measured(peer)
    time.sleep(60 if peer.is_live else 0)
    resting = idle.figures()
    return {**figures, "idle_cpu_s": resting["cpu_s"], "wire_bytes": resting["wire_bytes"],
            "peak_mib": [round(mib, 1) for mib in peer.usage.resident()]}


def note(peer):
    """A note of 1 KB is saved on A until B can read it: 20 notes, one at a time."""
    chance = random.Random(1)
    samples = []
    whole = Measured(peer)
    for number in range(NOTES):
        time.sleep(chance.uniform(0.05, 0.15))
        name = f"note {number}.md"
        content = chance.randbytes(512).hex().encode()
        begun = time.perf_counter()
        programs.save(os.path.join(peer.one, name), content)
        target = os.path.join(peer.other, name)
        arrive(peer, lambda: programs.read_if_there(target) == content, 0.0002)
        samples.append(time.perf_counter() - begun)
    figures = whole.figures()
    samples.sort()
    return {**figures, "wire_bytes": figures["wire_bytes"] // NOTES,
            "wall_s": round(statistics.median(samples), 5), "p99_s": round(samples[-1], 5)}


WORKLOADS = {"note": note, "small": small, "large": large, "front": front, "rename": rename,
             "rest": rest}


def arrive(peer, has_arrived, pause=0.002):
    """Those that do not work by themselves are started; the others are waited for."""
    if not peer.is_live:
        peer.settle()
    programs.until(has_arrived, "it arrives on B", 400, pause)


def size(path):
    with contextlib.suppress(OSError):
        return os.stat(path).st_size
    return -1


def expect_same(peer):
    for place, _, names in os.walk(peer.one):
        if "/.st" in place:
            continue
        other = os.path.join(peer.other, os.path.relpath(place, peer.one))
        for name in names:
            if not transfers.same(os.path.join(place, name), os.path.join(other, name)):
                raise programs.Failure(f"{name} is not the same on both")


def take(workload, name):
    """One run, in a folder of its own; what went wrong is a figure, too."""
    folder = tempfile.mkdtemp(prefix="ubiquity-compare-")
    peer = file_peers.PEERS[name](folder)
    row = {"workload": workload, "peer": name, "load": round(os.getloadavg()[0], 1)}
    try:
        peer.begin()
        return {**row, **WORKLOADS[workload](peer)}
    except (programs.Failure, OSError) as error:
        return {**row, "failed": str(error)}
    finally:
        with contextlib.suppress(AttributeError):
            peer.end()
        shutil.rmtree(folder, ignore_errors=True)


def measure(runs, workloads, peers):
    """Each run as it ends, measured where nobody else's bytes are on the loopback device."""
    missing = file_peers.missing_programs()
    if missing:
        raise programs.Failure(
            f"{', '.join(missing)} is missing; run scripts/install-packages --comparison")
    command = [sys.executable, os.path.abspath(__file__), "--runs", str(runs)]
    if workloads:
        command += ["--workloads", workloads]
    if peers:
        command += ["--peers", peers]
    if subprocess.run(["unshare", "--net", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        command = ["unshare", "--net", *command, "--own-network"]
    else:
        print("bench: without root others' bytes on the loopback device count, too",
              file=sys.stderr)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode != 0:
        raise programs.Failure("the comparison did not end")


def raise_loopback():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plain:
        fcntl.ioctl(plain, 0x8914, struct.pack("16sh14x", b"lo", 0x49))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--workloads", default=",".join(WORKLOADS))
    parser.add_argument("--peers", default=",".join(file_peers.PEERS))
    parser.add_argument("--own-network", action="store_true")
    chosen = parser.parse_args()
    if chosen.own_network:
        raise_loopback()
    for workload in chosen.workloads.split(","):
        # Side by side, so that a busy minute of the machine is not one peer's alone.
        for run in range(chosen.runs):
            for name in chosen.peers.split(","):
                print(json.dumps({"run": run, **take(workload, name)}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
