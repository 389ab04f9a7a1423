"""Long contents: what they cost on the wire, in time, in memory, and when somebody is killed."""

import contextlib
import os
import random
import selectors
import shutil
import socket
import threading
import time

import programs

MEBIBYTE = 1 << 20
BLOCK = 1 << 18


class Wire:
    """Stands between devices and their server, and counts the bytes of both ways.

    With a pace, each connection brings devices so many bytes a second. After so many bytes as
    `stalls_after` says one connection brings nothing more until it is `released`.
    """

    def __init__(self, cloud, pace=None, stalls_after=None):
        self.cloud = cloud
        self.pace = pace
        self.stalls_after = stalls_after
        self.has_stalled = False
        self.released = threading.Event()
        self.to_server = self.to_devices = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def total(self):
        return self.to_server + self.to_devices

    def close(self):
        self.listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                device = self.listener.accept()[0]
                threading.Thread(target=self._carry, args=(device,), daemon=True).start()

    def _carry(self, device):
        with device, contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", self.cloud.port)) as server:
                for side in (device, server):
                    side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                ways = selectors.DefaultSelector()
                ways.register(device, selectors.EVENT_READ, server)
                ways.register(server, selectors.EVENT_READ, device)
                while self._forward(ways, device):
                    pass

    def _forward(self, ways, device):
        for key, _ in ways.select():
            data = key.fileobj.recv(BLOCK)
            if not data:
                return False
            if key.fileobj is device:
                self.to_server += len(data)
            else:
                self.to_devices += len(data)
                if self.pace:
                    time.sleep(len(data) / self.pace)
                self._stall(data)
            key.data.sendall(data)
        return True

    def _stall(self, data):
        if self.stalls_after is None or self.has_stalled or len(data) < 10_000:
            return
        if self.to_devices >= self.stalls_after:
            self.has_stalled = True
            self.released.wait(60)


@contextlib.contextmanager
def two_devices(folder, counted):
    """A cloud with the devices A and B, ready; with what counts their bytes, if that is asked."""
    cloud = programs.Cloud(folder)
    cloud.add_account("anna")
    devices = [programs.Device(folder, name) for name in ("A", "B")]
    wire = None
    try:
        cloud.start()
        if counted:
            wire = Wire(cloud)
        for device in devices:
            device.join(wire or cloud)
            device.start()
        programs.settle(devices)
        yield cloud, devices[0], devices[1], wire
    finally:
        for program in [*devices, cloud]:
            program.kill()
        if wire:
            wire.close()


class Spent:
    """Wall and processor seconds, and bytes on the wire, from here on."""

    def __init__(self, wire, cloud, *devices):
        self.wire = wire
        self.processes = {"server": cloud, **{device.name: device for device in devices}}
        self.processor = self._processor()
        self.bytes = (wire.to_server, wire.to_devices) if wire else None
        self.begun = time.perf_counter()

    def _processor(self):
        return {name: owner.process.processor_seconds() for name, owner in self.processes.items()}

    def figures(self):
        wall = time.perf_counter() - self.begun
        now = self._processor()
        figures = {"wall_s": round(wall, 3)}
        figures |= {f"cpu_{name}_s": round(now[name] - self.processor[name], 2) for name in now}
        figures["cpu_s"] = round(sum(now.values()) - sum(self.processor.values()), 2)
        if self.wire:
            figures["bytes_to_server"] = self.wire.to_server - self.bytes[0]
            figures["bytes_to_devices"] = self.wire.to_devices - self.bytes[1]
            figures["bytes"] = figures["bytes_to_server"] + figures["bytes_to_devices"]
        figures |= {f"peak_{name}_mib": peak(owner) for name, owner in self.processes.items()}
        return figures


def peak(owner):
    """The most resident memory that the program has had, in MiB."""
    with open(f"/proc/{owner.process.pid}/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return round(int(line.split()[1]) / 1024, 1)
    return None


# Contents.

def write_noise(path, size, seed=1):
    """A file that nothing is found twice in."""
    chance = random.Random(seed)
    with open(path + ".part", "wb") as file:
        left = size
        while left > 0:
            count = min(left, 4 * MEBIBYTE)
            file.write(chance.randbytes(count))
            left -= count
    os.rename(path + ".part", path)


def put_in_front(path, data):
    """Saves the file anew with bytes in front, as an editor does."""
    with open(path, "rb") as file, open(path + ".part", "wb") as other:
        other.write(data)
        while block := file.read(4 * MEBIBYTE):
            other.write(block)
    os.rename(path + ".part", path)


def note_of(size):
    chance = random.Random(2)
    words = [bytes(chance.choices(b"abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9)))
             for _ in range(4000)]
    text = bytearray()
    while len(text) < size:
        text += b" ".join(chance.choices(words, k=12)) + b"\n"
    return bytes(text[:size])


def write_pages(path, count):
    """A file of 4 KiB pages, half filled, as databases have them."""
    chance = random.Random(3)
    with open(path + ".part", "wb") as file:
        for number in range(count):
            filled = chance.randint(512, 4000)
            page = b"\x0d" + number.to_bytes(4, "big")
            file.write(page.ljust(4096 - filled, b"\0") + chance.randbytes(filled))
    os.rename(path + ".part", path)


def same(one, other):
    """Whether two files have the same bytes; holes are passed over where both have them."""
    with open(one, "rb") as first, open(other, "rb") as second:
        if os.fstat(first.fileno()).st_size != os.fstat(second.fileno()).st_size:
            return False
        while block := first.read(4 * MEBIBYTE):
            if block != second.read(4 * MEBIBYTE):
                return False
    return True


def crossed(path, target):
    """Whether the target is the file by size and time, which comes with the content at once."""
    try:
        found, meant = os.stat(target), os.stat(path)
    except FileNotFoundError:
        return False
    return (found.st_size, found.st_mtime_ns) == (meant.st_size, meant.st_mtime_ns)


def cross(one, other, name, seconds=600):
    programs.until(
        lambda: crossed(one.path(name), other.path(name)), f"{name} crosses", seconds, 0.01)
    if not same(one.path(name), other.path(name)):
        raise programs.Failure(f"{name} is not the same on both")


# Measurements: each a dictionary.

def first_sync(folder, size, counted=False):
    with two_devices(folder, counted) as (cloud, one, other, wire):
        spent = Spent(wire, cloud, one, other)
        write_noise(one.path("long.bin"), size)
        programs.until(lambda: crossed(one.path("long.bin"), other.path("long.bin")),
                       "the file crosses", 600, 0.01)
        figures = spent.figures()
        cross(one, other, "long.bin")
        return {"case": "first", "size": size, **figures}


def edits(folder, megabytes=256):
    """Edits of long files, with the bytes that each costs."""
    with two_devices(folder, True) as (cloud, one, other, wire):
        write_noise(one.path("long.bin"), megabytes * MEBIBYTE)
        with open(one.path("note.md"), "wb") as file:
            file.write(note_of(33_000_000))
        write_pages(one.path("pages.db"), 16_384)
        for name in ("long.bin", "note.md", "pages.db"):
            cross(one, other, name)
        programs.settle([one, other], 300)

        def changed(case, name, change):
            time.sleep(1)
            spent = Spent(wire, cloud, one, other)
            change(one.path(name))
            written = time.perf_counter() - spent.begun
            cross(one, other, name)
            programs.settle([one, other])
            return {"case": case, "write_s": round(written, 3), **spent.figures()}

        yield changed("byte in front", "long.bin", lambda path: put_in_front(path, b"x"))
        yield changed("byte in the middle", "long.bin",
                      lambda path: overwrite(path, megabytes * MEBIBYTE // 2, b"x"))
        yield changed("character in a note", "note.md", lambda path: insert(path, 16_000_000))
        yield changed("page of a database", "pages.db",
                      lambda path: overwrite(path, 8_000 * 4096 + 4000, b"changed"))


def overwrite(path, place, data):
    with open(path, "r+b") as file:
        file.seek(place)
        file.write(data)


def insert(path, place):
    with open(path, "rb") as file:
        text = file.read()
    programs.save(path, text[:place] + b"!" + text[place:])


def sparse(folder, size):
    with two_devices(folder, True) as (cloud, one, other, wire):
        spent = Spent(wire, cloud, one, other)
        with open(one.path("sparse.img.part"), "wb") as file:
            file.truncate(size)
            for place in (0, size // 3, size - 5):
                file.seek(place)
                file.write(b"data!")
        os.rename(one.path("sparse.img.part"), one.path("sparse.img"))
        programs.until(lambda: crossed(one.path("sparse.img"), other.path("sparse.img")),
                       "the file crosses", 600, 0.01)
        figures = spent.figures()
        stored = os.stat(other.path("sparse.img")).st_blocks * 512
        with open(other.path("sparse.img"), "rb") as file:
            for place in (0, size // 3, size - 5):
                file.seek(place)
                if file.read(5) != b"data!":
                    raise programs.Failure("the sparse file is not the same")
        return {"case": "sparse", "size": size, "stored_on_B": stored, **figures}


def notes_meanwhile(folder, size):
    """Notes that are saved while a long file crosses: the milliseconds until B has each."""
    with two_devices(folder, False) as (cloud, one, other, _):
        write_noise(one.path("long.bin"), size)
        samples = []
        number = 0
        while not crossed(one.path("long.bin"), other.path("long.bin")):
            name = f"note {number}.md"
            number += 1
            content = os.urandom(512).hex().encode()
            begun = time.perf_counter()
            programs.save(one.path(name), content)
            while programs.read_if_there(other.path(name)) != content:
                if time.perf_counter() - begun > 60:
                    raise programs.Failure(f"{name} did not cross within a minute")
                time.sleep(0.0002)
            samples.append((time.perf_counter() - begun) * 1000)
            time.sleep(0.05)
        cross(one, other, "long.bin")
        samples.sort()
        if not samples:
            return {"case": "notes meanwhile", "n": 0}
        return {"case": "notes meanwhile", "size": size, "n": len(samples),
                "p50_ms": round(samples[len(samples) // 2], 2),
                "p90_ms": round(samples[len(samples) * 9 // 10], 2),
                "max_ms": round(samples[-1], 2)}


def kills(folder, size, count=10):
    """Both ends are killed together ten times on the way up, and ten times on the way down.

    What it cost beside a file of the same size without kills is said in chunks of the mean size.
    """
    with two_devices(folder, True) as (cloud, one, other, wire):
        other.end()
        calm = {"up": carry(cloud, one, wire, lambda: write_noise(one.path("calm"), size, 9), 0),
                "down": carry(cloud, other, wire, other.start, 0)}
        cross(one, other, "calm")
        chunks = count_chunks(cloud)
        before = one.json("status")["number"]
        other.end()
        killed = {
            "up": carry(
                cloud, one, wire, lambda: write_noise(one.path("long.bin"), size), size, count),
            "down": carry(cloud, other, wire, other.start, size, count)}
        cross(one, other, "long.bin")
        programs.settle([one, other], 120)
        versions = one.json("versions", one.path("long.bin"))["versions"]
        mean = size / chunks
        again = {
            f"chunks_again_{way}": round((killed[way] - calm[way]) / mean, 1) for way in killed}
        return {"case": "kills", "size": size, "kills": 2 * count, "versions": len(versions),
                "numbers": one.json("status")["number"] - before, "mean_chunk": round(mean),
                **{f"bytes_{way}": killed[way] for way in killed}, **again}


def carry(cloud, device, wire, begin, size, count=0):
    """The bytes of both ways until a device has done what was begun, killed with its server."""
    before = wire.total
    begin()
    for kill in range(1, count + 1):
        goal = before + size * kill // (count + 1)
        programs.until(lambda: wire.total >= goal, "it goes on", 300, 0.001)
        cloud.kill()
        device.kill()
        cloud.start()
        device.start()
    device.wait(300)
    return wire.total - before


def count_chunks(cloud):
    return sum(len(names) for _, _, names in os.walk(os.path.join(cloud.data, "chunks")))


def measure(folder):
    """Long files: first sync, edits, exactly 2 GiB, 8 GiB of holes, notes meanwhile, kills."""
    gibibyte = 1024 * MEBIBYTE
    cases = (
        lambda place: [first_sync(place, gibibyte)],
        edits,
        lambda place: [first_sync(place, 2 * gibibyte)],
        lambda place: [sparse(place, 8 * gibibyte)],
        lambda place: [notes_meanwhile(place, gibibyte)],
        lambda place: [kills(place, gibibyte)],
    )
    for number, case in enumerate(cases):
        place = os.path.join(folder, str(number))
        os.mkdir(place)
        yield from case(place)
        shutil.rmtree(place, ignore_errors=True)
