"""Rounds of saving under SIGKILL: what was fsynced must be on both devices afterwards."""

import os
import random
import threading
import time

import programs
import trees

KILLS = 5
ROUND_SECONDS = 12.0


class Writer(threading.Thread):
    """Saves files in one folder of a device, one after the other, and logs each that is safe.

    It goes on until its files are written and all the kills of the round are done, so that no
    kill falls into silence.
    """

    def __init__(self, device, folder, prefix, files, kills_done, seed):
        super().__init__(daemon=True)
        self.device = device
        self.folder = folder
        self.prefix = prefix
        self.files = files
        self.kills_done = kills_done
        self.chance = random.Random(seed)
        self.logged = {}
        self.fault = None

    def run(self):
        try:
            self.write_all()
        except OSError as fault:
            self.fault = fault

    def write_all(self):
        os.makedirs(self.device.path(self.folder), exist_ok=True)
        pause = ROUND_SECONDS / self.files
        number = 0
        while len(self.logged) < self.files or not self.kills_done.is_set():
            self.save(number)
            number += 1
            time.sleep(self.chance.uniform(0, 2) * pause)

    def save(self, number):
        """A new file, or now and then one of this round again."""
        name = f"{self.folder}/{self.prefix}-{number:04d}.md"
        if self.logged and self.chance.random() < 0.1:
            name = self.chance.choice(sorted(self.logged))
        content = self.content(name, number)
        path = self.device.path(name)
        way = self.chance.randrange(4)
        if way == 0:
            programs.write_durably(path, content)
        elif way == 1:
            # A temporary name that no rule knows.
            programs.save(path, content, f"{path}.{self.chance.randrange(10**6)}")
        else:
            programs.save(path, content)
        self.logged[name] = content

    def content(self, name, number):
        head = f"{name} at its save number {number}\n".encode()
        size = self.chance.choice([0, 100, 1000, 4000, 20_000, 200_000])
        return head + self.chance.randbytes(size)


class Killer(threading.Thread):
    """Kills one program at random moments of a round, and starts it again a moment later."""

    def __init__(self, victim, seed):
        super().__init__(daemon=True)
        self.victim = victim
        self.chance = random.Random(seed)
        self.kills = 0
        self.fault = None

    def run(self):
        count = KILLS + self.chance.randrange(3)
        begun = time.monotonic()
        moments = sorted(self.chance.uniform(0.1, ROUND_SECONDS * 0.9) for _ in range(count))
        try:
            for moment in moments:
                time.sleep(max(0.0, begun + moment - time.monotonic()))
                self.kill_once()
        except (programs.Failure, OSError) as fault:
            self.fault = fault

    def kill_once(self):
        # A program that ended by itself before it was killed is a finding of its own.
        if not self.victim.process.is_running():
            raise programs.Failure(f"ended by itself: {self.victim.process.printed()}")
        self.victim.kill()
        self.kills += 1
        time.sleep(self.chance.uniform(0, 0.4))
        start = getattr(self.victim, "launch", self.victim.start)
        start()


def run(folder, rounds, files, seed):
    """Runs the rounds and prints their figures; gives the exit status."""
    cloud, devices = begin(folder)
    expected = {}
    problems = []
    try:
        for number in range(rounds):
            figures = torture(cloud, devices, files, number, seed, expected)
            problems = check(devices, expected)
            print(f"round {number + 1}: {figures}, {len(problems)} problems", flush=True)
            if problems:
                break
    finally:
        for program in [*devices, cloud]:
            program.kill()
    for problem in problems:
        print(problem)
    print(f"{number + 1} rounds, {len(expected)} files logged, {len(problems)} problems")
    return 1 if problems else 0


def begin(folder):
    cloud = programs.Cloud(folder)
    cloud.add_account("anna")
    cloud.start()
    devices = [programs.Device(folder, name) for name in ("A", "B")]
    for device in devices:
        device.join(cloud)
        device.start()
    return cloud, devices


def torture(cloud, devices, files, number, seed, expected):
    """One round: writes, kills, and waits until all is quiet; gives its figures as text."""
    one, other = devices
    kills_done = threading.Event()
    killers = [
        Killer(victim, f"{seed} {number} {place}")
        for place, victim in enumerate([one, other, cloud])
    ]
    writers = [
        Writer(one, f"from A/round {number}", "a", files, kills_done, f"{seed} {number} a"),
        Writer(other, f"from B/round {number}", "b", files // 5, kills_done, f"{seed} {number} b"),
    ]
    for thread in killers + writers:
        thread.start()
    for killer in killers:
        killer.join()
    kills_done.set()
    for writer in writers:
        writer.join()
        expected.update(writer.logged)
    for thread in killers + writers:
        if thread.fault:
            raise programs.Failure(f"round {number + 1}: {thread.fault}")
    begun = time.monotonic()
    for device in devices:
        programs.until(device.is_ready, f"{device.name} answers", pause=0.05)
    programs.settle(devices, seconds=120)
    saved = "+".join(str(len(writer.logged)) for writer in writers)
    killed = "+".join(str(killer.kills) for killer in killers)
    return f"{saved} files, {killed} kills (A, B, server), settled in " + (
        f"{time.monotonic() - begun:.1f} s")


def check(devices, expected):
    """What is missing, changed, or more than was written, a line each."""
    one, other = (trees.read(os.fsencode(device.documents)) for device in devices)
    problems = [f"A and B differ: {line}" for line in trees.differences(one, other)]
    for device, tree in zip(devices, (one, other)):
        for name, content in expected.items():
            found = programs.read_if_there(device.path(name))
            if found is None:
                problems.append(f"{device.name}: {name} is missing")
            elif found != content:
                problems.append(f"{device.name}: {name} has another content")
        known = {os.fsencode(name) for name in expected}
        for path, entry in tree.items():
            if entry.kind != "folder" and path not in known:
                problems.append(f"{device.name}: {trees.shown(path)} was never saved")
        for conflict in device.json("conflicts")["conflicts"]:
            problems.append(f"{device.name}: {conflict['path']} is in conflict")
    return problems
