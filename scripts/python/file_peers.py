"""What keeps two folders the same, for scripts/bench files: Ubiquity, and what people use instead.

Each peer has the folders A and B, and says how it is made to begin, to go on, and when it is done.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import programs

DEBIAN_PACKAGES = {"syncthing": "syncthing", "unison": "unison", "rsync": "rsync"}


class Usage:
    """Processor seconds and memory of programs that run and of those that ended."""

    def __init__(self):
        self.running = []
        self.ended_seconds = 0.0
        self.ended_peak = 0.0

    def add(self, pid):
        self.running.append(pid)

    def seconds(self):
        return self.ended_seconds + sum(seconds_of(pid) for pid in self.running)

    def peaks(self):
        running = [memory_of(pid, "VmHWM") for pid in self.running]
        return [*running, self.ended_peak] if self.ended_peak else running

    def resident(self):
        return [memory_of(pid, "VmRSS") for pid in self.running]

    def note_ending(self, pid):
        """Before a program that runs is ended."""
        self.ended_seconds += seconds_of(pid)
        self.running.remove(pid)

    def wait(self, process):
        """Until it ends; what the kernel says of its memory has its starter's in it."""
        while True:
            with contextlib.suppress(OSError):
                self.ended_peak = max(self.ended_peak, memory_of(process.pid, "VmHWM"))
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                self.ended_seconds += usage.ru_utime + usage.ru_stime
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.002)


def seconds_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / programs.CLOCK_TICKS


def memory_of(pid, key):
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith(key + ":"):
                return int(line.split()[1]) / 1024
    return 0.0


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Peer:
    """Two folders, and the programs that keep them the same."""

    #: Whether it works by itself; the others are started for each change.
    is_live = False

    def __init__(self, folder):
        self.folder = folder
        self.usage = Usage()
        self.processes = []
        self.one = os.path.join(folder, "A")
        self.other = os.path.join(folder, "B")

    def begin(self):
        """Makes it ready, with nothing in A and B."""
        for place in (self.one, self.other):
            os.makedirs(place, exist_ok=True)

    def stop_one(self):
        """Ends what would see changes of A; nothing runs for those that are not live."""

    def start_one(self):
        """Starts it again."""

    def settle(self, seconds=900):
        """Until B is as A is."""
        raise NotImplementedError

    def end(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []

    def spawn(self, arguments, environment=None):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env={**os.environ, **self.environment(), **(environment or {})})
        self.processes.append(process)
        self.usage.add(process.pid)
        return process

    def environment(self):
        return {"HOME": self.folder, "LC_ALL": "C.UTF-8"}

    def run(self, arguments, fine=(0,)):
        """A program that ends by itself, whose work counts."""
        with open(os.path.join(self.folder, "log"), "ab") as log:
            process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **self.environment()})
        process.returncode = self.usage.wait(process)
        if process.returncode not in fine:
            raise programs.Failure(f"{arguments[0]} gave {process.returncode}")

    def wait_for_port(self, port):
        def answers():
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                return False
            return True
        programs.until(answers, f"port {port} answers", 20, 0.02)


class Ubiquity(Peer):
    is_live = True

    def begin(self):
        self.cloud = programs.Cloud(self.folder)
        self.cloud.add_account("anna")
        self.cloud.start()
        self.usage.add(self.cloud.process.pid)
        self.devices = [programs.Device(self.folder, name) for name in ("A", "B")]
        for device in self.devices:
            device.join(self.cloud)
            device.start()
            self.usage.add(device.process.pid)
        programs.settle(self.devices)
        self.one, self.other = (device.documents for device in self.devices)

    def stop_one(self):
        self.usage.note_ending(self.devices[0].process.pid)
        self.devices[0].end()

    def start_one(self):
        self.devices[0].launch()
        self.usage.add(self.devices[0].process.pid)
        programs.until(self.devices[0].is_ready, "A answers", 120, 0.01)

    def settle(self, seconds=900):
        programs.settle(self.devices, seconds)

    def end(self):
        for program in (*self.devices, self.cloud):
            program.kill()


SYNCTHING = """<configuration version="36">
<folder id="f" path="{path}" type="sendreceive" rescanIntervalS="3600" fsWatcherEnabled="true"
 fsWatcherDelayS="1"><device id="{one}"/><device id="{other}"/>
<minDiskFree unit="%">0</minDiskFree></folder>
<device id="{one}" name="A"><address>tcp://127.0.0.1:{port_one}</address></device>
<device id="{other}" name="B"><address>tcp://127.0.0.1:{port_other}</address></device>
<gui enabled="true" tls="false"><address>127.0.0.1:{gui}</address><apikey>key</apikey></gui>
<options><listenAddress>tcp://127.0.0.1:{port}</listenAddress>
<globalAnnounceEnabled>false</globalAnnounceEnabled>
<localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled>
<natEnabled>false</natEnabled><urAccepted>-1</urAccepted>
<crashReportingEnabled>false</crashReportingEnabled><startBrowser>false</startBrowser>
<reconnectionIntervalS>1</reconnectionIntervalS><autoUpgradeIntervalH>0</autoUpgradeIntervalH>
</options></configuration>"""


class Syncthing(Peer):
    """With the shortest delay that its settings allow, one second; by default it is ten."""

    is_live = True

    def begin(self):
        super().begin()
        homes = [os.path.join(self.folder, f"syncthing-{side}") for side in "AB"]
        self.homes = homes
        self.gui = [free_port(), free_port()]
        ports = [free_port(), free_port()]
        ids = [self._identity(home) for home in homes]
        for side, place in enumerate((self.one, self.other)):
            os.makedirs(os.path.join(place, ".stfolder"), exist_ok=True)
            with open(os.path.join(homes[side], "config.xml"), "w", encoding="utf-8") as file:
                file.write(SYNCTHING.format(
                    path=place, one=ids[0], other=ids[1], port_one=ports[0],
                    port_other=ports[1], gui=self.gui[side], port=ports[side]))
        self.sides = [self._serve(0), self._serve(1)]
        self._wait_connected()
        self.settle()

    def _identity(self, home):
        environment = self.environment()
        programs.run(["syncthing", "generate", "--home", home, "--no-default-folder",
                      "--skip-port-probing"], environment)
        said = programs.run(["syncthing", "serve", "--home", home, "--device-id"], environment)
        return said.decode().strip().splitlines()[-1]

    def _serve(self, side):
        process = self.spawn(
            ["syncthing", "serve", "--home", self.homes[side], "--no-restart", "--no-browser"],
            {"STNOUPGRADE": "1", "STMONITORED": "yes"})
        self.wait_for_port(self.gui[side])
        return process

    def stop_one(self):
        process = self.sides[0]
        self.usage.note_ending(process.pid)
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        self.processes.remove(process)

    def start_one(self):
        self.sides[0] = self._serve(0)
        self._wait_connected()

    def ask(self, side, path):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.gui[side]}/rest/{path}", headers={"X-API-Key": "key"})
        try:
            with urllib.request.urlopen(request, timeout=900) as answer:
                return json.loads(answer.read())
        except (urllib.error.URLError, OSError):
            return {}

    def _wait_connected(self):
        def is_connected():
            connections = self.ask(0, "system/connections").get("connections", {})
            return any(connection["connected"] for connection in connections.values())
        programs.until(is_connected, "Syncthing connects", 90, 0.05)

    def settle(self, seconds=900):
        """Both idle, nothing needed, and as many files here as there, as many as A has."""
        # What its watcher was told it looks at after its delay of a second.
        time.sleep(1.2)
        meant = count_files(self.one)

        def is_settled():
            states = [self.ask(side, "db/status?folder=f") for side in (0, 1)]
            return all(
                state.get("state") == "idle" and state.get("needTotalItems") == 0
                and state.get("localFiles") == meant for state in states
            ) and states[0].get("globalBytes") == states[1].get("globalBytes")
        programs.until(is_settled, "Syncthing is idle", seconds, 0.1)


class Unison(Peer):
    """One run for each change, with the other side's program running already."""

    def begin(self):
        super().begin()
        self.port = free_port()
        self.spawn(["unison", "-socket", str(self.port), "-listen", "127.0.0.1"])
        self.wait_for_port(self.port)

    def environment(self):
        return {**super().environment(), "UNISON": os.path.join(self.folder, "unison")}

    def settle(self, seconds=900):
        self.run(["unison", self.one, f"socket://127.0.0.1:{self.port}/{self.other}", "-ui",
                  "text", "-auto", "-batch", "-times", "-confirmbigdel=false", "-log=false"],
                 fine=(0, 1))


class Rsync(Peer):
    """One run for each change, one way only, against its daemon."""

    def begin(self):
        super().begin()
        self.port = free_port()
        configuration = os.path.join(self.folder, "rsyncd.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(
                f"address=127.0.0.1\nport={self.port}\nuse chroot=no\n"
                f"[b]\npath={self.other}\nread only=no\nuid={os.getuid()}\ngid={os.getgid()}\n")
        self.spawn(["rsync", "--daemon", "--no-detach", f"--config={configuration}"])
        self.wait_for_port(self.port)

    def settle(self, seconds=900):
        self.run(["rsync", "-a", "--delete", self.one + "/",
                  f"rsync://127.0.0.1:{self.port}/b/"])


PEERS = {"Ubiquity": Ubiquity, "Syncthing": Syncthing, "Unison": Unison, "rsync": Rsync}


def missing_programs():
    return [name for name in DEBIAN_PACKAGES if not shutil.which(name)]


def count_files(folder):
    """Without what a peer puts there itself."""
    return sum(len(files) for place, _, files in os.walk(folder)
               if "/.st" not in place)
