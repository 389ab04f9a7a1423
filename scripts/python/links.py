"""Links between devices and their server that can be cut, lose packets, and be slow.

As root on a machine that allows it, each device lives in a network namespace of its own: its link
is cut and loses packets by iptables. Else a proxy does both, one connection at a time. The proxy
delays in any case, since few kernels have netem.
"""

import contextlib
import os
import queue
import random
import shutil
import socket
import subprocess
import threading
import time

import programs

BLOCK = 1 << 16


def has_namespaces():
    """Whether this machine lets us make network namespaces and drop packets in them by chance."""
    if os.geteuid() != 0 or not all(shutil.which(name) for name in ("ip", "iptables")):
        return False
    name = f"ubiquity-{os.getpid()}-trial"
    if not succeeds("ip", "netns", "add", name):
        return False
    try:
        return succeeds(*in_namespace(name), *loss_rule("-A", "INPUT", 0.5))
    finally:
        succeeds("ip", "netns", "delete", name)


def succeeds(*arguments):
    return subprocess.run(arguments, capture_output=True, check=False).returncode == 0


def in_namespace(name):
    return ["ip", "netns", "exec", name]


def loss_rule(how, chain, chance):
    return ["iptables", "-w", how, chain, "-m", "statistic", "--mode", "random",
            "--probability", str(chance), "-j", "DROP"]


class Link:
    """What a device takes for its server: `url` leads there, if the link lets it."""

    way = "a proxy"

    def __init__(self, cloud, seed):
        self.cloud = cloud
        self.random = random.Random(seed)
        self.delay = 0.0
        self.loss = 0.0
        self.is_cut = False
        self.lock = threading.Lock()
        self.open = set()
        self.listener = socket.create_server((self.address(), 0))
        self.url = f"http://{self.address()}:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self):
        return "127.0.0.1"

    def at_far_end(self, arguments):
        """How a program is started at the device's end of the link."""
        return arguments

    def cut(self):
        """Nothing passes any more, and nobody is told so."""
        self.is_cut = True

    def lose(self, chance):
        self.loss = chance

    def repair(self):
        self.is_cut = False
        self.loss = self.delay = 0.0

    def close(self):
        # The thread that accepts would keep the socket otherwise.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self._break_all()

    def _break_all(self):
        with self.lock:
            connections, self.open = self.open, set()
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                device = self.listener.accept()[0]
                threading.Thread(target=self._connect, args=(device,), daemon=True).start()

    def _connect(self, device):
        self._hold()
        with device, contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", self.cloud.port)) as server:
                with self.lock:
                    self.open |= {device, server}
                for side in (device, server):
                    side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                back = threading.Thread(target=self._carry, args=(server, device), daemon=True)
                back.start()
                self._carry(device, server)
                back.join()
            with self.lock:
                self.open -= {device, server}

    def _carry(self, source, target):
        """One way: what is read is written as much later as the delay says, in its order."""
        pending = queue.SimpleQueue()
        writer = threading.Thread(target=self._write, args=(pending, target), daemon=True)
        writer.start()
        with contextlib.suppress(OSError):
            while data := source.recv(BLOCK):
                pending.put((time.monotonic() + self.delay, data))
        pending.put(None)
        writer.join()

    def _write(self, pending, target):
        with contextlib.suppress(OSError):
            while piece := pending.get():
                moment, data = piece
                time.sleep(max(0.0, moment - time.monotonic()))
                self._hold()
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def _hold(self):
        """While the link is cut all waits; a loss is a wait until it would be sent again."""
        while self.is_cut:
            time.sleep(0.01)
        if self.loss and self.random.random() < self.loss:
            time.sleep(0.2)
            if self.random.random() < self.loss:
                self._break_all()


class NamespaceLink(Link):
    """A link whose other end is in a network namespace, where packets are dropped."""

    way = "network namespaces and iptables"
    numbers = iter(range(1, 250))

    def __init__(self, cloud, seed):
        number = next(self.numbers)
        self.name = f"ubiquity-{os.getpid()}-{number}"
        self.near = f"ub{os.getpid() % 10**7}n{number}"
        self._make(number)
        super().__init__(cloud, seed)

    def _make(self, number):
        """Takes the first free network of four addresses, since others may do the same."""
        begin = os.getpid() * 250 + number
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self.near, "type", "veth", "peer", "name", "eth0",
            "netns", self.name)
        for place in range(begin, begin + 50):
            third, fourth = place % 16384 // 64, place % 64 * 4
            self.near_address = f"10.213.{third}.{fourth + 1}"
            taken = subprocess.run(
                ["ip", "-o", "addr", "show", "to", self.near_address], capture_output=True,
                check=True).stdout
            if not taken:
                break
        far = f"10.213.{third}.{fourth + 2}"
        run("ip", "addr", "add", f"{self.near_address}/30", "dev", self.near)
        run("ip", "link", "set", self.near, "up")
        inside = in_namespace(self.name)
        run(*inside, "ip", "addr", "add", f"{far}/30", "dev", "eth0")
        run(*inside, "ip", "link", "set", "eth0", "up")
        run(*inside, "ip", "link", "set", "lo", "up")

    def address(self):
        return self.near_address

    def at_far_end(self, arguments):
        return [*in_namespace(self.name), *arguments]

    def cut(self):
        run(*in_namespace(self.name), "iptables", "-w", "-I", "INPUT", "-j", "DROP")
        run(*in_namespace(self.name), "iptables", "-w", "-I", "OUTPUT", "-j", "DROP")

    def lose(self, chance):
        for chain in ("INPUT", "OUTPUT"):
            run(*in_namespace(self.name), *loss_rule("-A", chain, chance))

    def repair(self):
        self.delay = 0.0
        run(*in_namespace(self.name), "iptables", "-w", "-F")

    def close(self):
        super().close()
        succeeds("ip", "link", "delete", self.near)
        succeeds("ip", "netns", "delete", self.name)


def run(*arguments):
    programs.run(list(arguments))


class LinkedDevice(programs.Device):
    """A device that reaches its server by a link only."""

    def __init__(self, folder, name, link):
        super().__init__(folder, name)
        self.link = link

    def launch(self):
        self.process = programs.Process(
            self.link.at_far_end([self.program, "device", "run"]), self.log,
            self.environment())
