"""A cloud and its devices as real processes, below one folder, for tests and measurements."""

import json
import os
import signal
import subprocess
import sys
import time

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONTAINER = "iCloud.org.ubiquity.notes"
PASSWORD = "correct horse battery staple"
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


def program(name="ubiquity"):
    """The program under test: the release build, unless UBIQUITY_PROGRAMS names a folder."""
    folder = os.environ.get("UBIQUITY_PROGRAMS", os.path.join(CHECKOUT, ".build", "release"))
    return os.path.join(folder, name)


def build():
    """Builds what `program` names, unless another folder was named; what it says is no result."""
    if "UBIQUITY_PROGRAMS" not in os.environ:
        done = subprocess.run(
            ["swift", "build", "--configuration", "release", "--product", "ubiquity"],
            cwd=CHECKOUT, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            raise Failure("the build failed")


def build_with_faults():
    """Builds a program whose faults UBIQUITY_FAULT names; gives its folder."""
    scratch = os.path.join(CHECKOUT, ".build", "planted")
    done = subprocess.run(
        ["swift", "build", "--configuration", "release", "--product", "ubiquity",
         "--scratch-path", scratch, "-Xswiftc", "-DPLANTED_FAULTS"],
        cwd=CHECKOUT, stdout=sys.stderr, check=False)
    if done.returncode != 0:
        raise Failure("the build failed")
    return os.path.join(scratch, "release")


class Failure(Exception):
    """A program did not do what it was started for."""


def until(condition, what, seconds=30.0, pause=0.005):
    """Waits until the condition gives something true, and gives that."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"not within {seconds:g} seconds: {what}")
        time.sleep(pause)


class Process:
    """A program that runs until it is ended; what it prints goes to a log beside its data."""

    def __init__(self, arguments, log, environment=None):
        self.log = log
        self.arguments = arguments
        with open(log, "ab") as output:
            self.beginning = output.tell()
            self.child = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=environment)
        self.pid = self.child.pid

    def printed(self):
        """What it has printed since it was started."""
        with open(self.log, "rb") as file:
            file.seek(self.beginning)
            return file.read().decode("utf-8", "replace")

    def is_running(self):
        return self.child.poll() is None

    def kill(self):
        """SIGKILL: no chance to tidy up."""
        self.child.kill()
        self.child.wait()

    def end(self, number=signal.SIGTERM, seconds=20):
        """Ends it as a person would, and gives its exit status."""
        self.child.send_signal(number)
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failure(f"{self.arguments[1:3]} did not end within {seconds} s") from None

    def processor_seconds(self):
        """The processor time that it has used, of all its threads, to the kernel's tick."""
        with open(f"/proc/{self.pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


class Cloud:
    """A server on its folder; its port stays the same when it is started again."""

    def __init__(self, folder, program_path=None):
        self.folder = folder
        self.data = os.path.join(folder, "cloud")
        self.program = program_path or program()
        self.port = 0
        self.process = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def add_account(self, name, password=PASSWORD):
        run([self.program, "server", "account", "add", name, "--data", self.data],
            {"UBIQUITY_PASSWORD": password})

    def start(self):
        arguments = ["server", "run", "--data", self.data, "--listen", f"127.0.0.1:{self.port}"]
        self.process = Process(
            [self.program, *arguments], os.path.join(self.folder, "cloud.log"))
        self.port = until(self._announced_port, "the server says its port")

    def _announced_port(self):
        text = self.process.printed()
        if not self.process.is_running():
            raise Failure(f"the server ended: {text}")
        for line in text.splitlines(keepends=True):
            if "http://127.0.0.1:" in line and line.endswith("\n"):
                return int(line.rsplit(":", 1)[1].strip().strip("/"))
        return None

    def kill(self):
        if self.process:
            self.process.kill()

    def end(self):
        return self.process.end()


class Device:
    """A device's home, its daemon, and the commands that are given to it."""

    def __init__(self, folder, name, program_path=None):
        self.name = name
        self.home = os.path.join(folder, name)
        self.log = os.path.join(folder, f"{name}.log")
        self.program = program_path or program()
        self.process = None

    @property
    def documents(self):
        return os.path.join(self.home, "Containers", CONTAINER, "Documents")

    def path(self, name):
        """A path in Documents: text for text, bytes for bytes."""
        if isinstance(name, bytes):
            return os.path.join(os.fsencode(self.documents), name)
        return os.path.join(self.documents, name)

    def environment(self, more=None):
        return {**os.environ, "UBIQUITY_HOME": self.home, **(more or {})}

    def join(self, cloud, account="anna", password=PASSWORD):
        self.command(
            "join", cloud.url, "--account", account, "--device", self.name,
            environment={"UBIQUITY_PASSWORD": password})

    def launch(self):
        """Starts the daemon without waiting for it."""
        self.process = Process([self.program, "device", "run"], self.log, self.environment())

    def start(self, seconds=30):
        """Starts the daemon; it is ready once `status` answers."""
        self.launch()
        until(self.is_ready, f"{self.name} answers", seconds, pause=0.02)

    def is_ready(self):
        if not self.process.is_running():
            raise Failure(f"the daemon of {self.name} ended: {self.process.printed()}")
        return self.attempt("status").returncode in (0, 3)

    def kill(self):
        if self.process:
            self.process.kill()

    def end(self):
        return self.process.end()

    def stop(self):
        """SIGSTOP: it hears and does nothing until it goes on."""
        self.process.child.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.child.send_signal(signal.SIGCONT)

    def attempt(self, *arguments, environment=None, seconds=150):
        """Runs a command to its end, whatever that is."""
        return subprocess.run(
            [self.program, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
            env=self.environment(environment), timeout=seconds, check=False)

    def command(self, *arguments, environment=None, seconds=150):
        """Runs a command that must succeed, and gives what it printed, as bytes."""
        done = self.attempt(*arguments, environment=environment, seconds=seconds)
        if done.returncode != 0:
            raise Failure(
                f"{self.name}: ubiquity {' '.join(map(str, arguments))} gave "
                f"{done.returncode}: {(done.stderr or done.stdout).decode(errors='replace')}")
        return done.stdout

    def json(self, *arguments):
        done = self.attempt(*arguments, "--json")
        if done.returncode not in (0, 3):
            raise Failure(f"{arguments} gave {done.returncode}: {done.stderr.decode()}")
        return json.loads(done.stdout)

    def wait(self, seconds=60):
        self.command("wait", "--timeout", str(seconds), seconds=seconds + 30)


def settle(devices, seconds=60):
    """Waits until what is on each device is on all of them.

    The first wait of a device says that its own changes are at the server; only then can another
    device have them all.
    """
    for device in devices:
        device.wait(seconds)
    for device in devices:
        device.wait(seconds)


def run(arguments, environment=None):
    """Runs a program that must succeed."""
    done = subprocess.run(
        arguments, stdin=subprocess.DEVNULL, capture_output=True,
        env={**os.environ, **(environment or {})}, timeout=60, check=False)
    if done.returncode != 0:
        raise Failure(f"{arguments} gave {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def save(path, content, temporary=None):
    """A safe save: a temporary file, fsync, rename over the name."""
    folder, name = os.path.split(path)
    if temporary is None:
        temporary = os.path.join(folder, b".%s.tmp" % name if isinstance(name, bytes)
                                 else f".{name}.tmp")
    write_durably(temporary, content)
    os.rename(temporary, path)


def write_durably(path, content):
    """Writes in place and fsyncs."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        os.write(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_in_place(path, content):
    with open(path, "wb") as file:
        file.write(content)


def read_if_there(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
