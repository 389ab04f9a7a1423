"""What people get wrong is answered with one line that says what, why and what to do."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import threading
import unittest

import programs
from scenario import Scenario

NOBODY = 65534


class CommandTests(Scenario):
    """Commands that cannot work."""

    def lone_device(self):
        device = programs.Device(self.folder, "laptop")
        self.addCleanup(device.kill)
        return device

    def join(self, device, account="anna", password=programs.PASSWORD, url=None):
        return device.attempt(
            "join", url or self.cloud.url, "--account", account, "--device", device.name,
            environment={"UBIQUITY_PASSWORD": password})

    def test_wrong_password(self):
        self.start_cloud()
        device = self.lone_device()
        self.assert_says_why(self.join(device, password="wrong"), "password")
        device.join(self.cloud)

    def test_unknown_account(self):
        self.start_cloud()
        self.assert_says_why(self.join(self.lone_device(), account="nobody"), "account")

    def test_server_down(self):
        with free_port() as port:
            done = self.join(self.lone_device(), url=f"http://127.0.0.1:{port}")
        self.assert_says_why(done, "127.0.0.1")

    def test_no_server_but_something_else(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        answer_all(listener, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        self.assert_says_why(self.join(self.lone_device(), url=url))

    def test_no_url(self):
        done = self.join(self.lone_device(), url="no url at all")
        self.assertIn(done.returncode, (1, 2))
        self.assertTrue(done.stderr)

    def test_a_joined_device_with_a_wrong_password_stays_joined(self):
        self.start_cloud()
        device = self.device("laptop")
        self.assertEqual(self.join(device, password="wrong").returncode, 1)
        programs.save(device.path("note.md"), b"text")
        device.wait()

    def test_port_taken(self):
        self.start_cloud()
        other = subprocess.run(
            [self.cloud.program, "server", "run", "--data", os.path.join(self.folder, "other"),
             "--listen", f"127.0.0.1:{self.cloud.port}"],
            capture_output=True, timeout=20, check=False)
        self.assert_says_why(other, str(self.cloud.port))

    def test_two_servers_on_one_folder(self):
        self.start_cloud()
        other = subprocess.run(
            [self.cloud.program, "server", "run", "--data", self.cloud.data,
             "--listen", "127.0.0.1:0"],
            capture_output=True, timeout=20, check=False)
        self.assert_says_why(other)

    def test_second_daemon(self):
        self.start_cloud()
        device = self.device("laptop")
        done = device.attempt("device", "run", seconds=20)
        self.assert_says_why(done, device.home)
        self.assertTrue(device.process.is_running())
        programs.save(device.path("note.md"), b"text")
        device.wait()

    def test_no_daemon(self):
        self.start_cloud()
        device = self.joined_device("laptop")
        for command in (["status"], ["wait", "--timeout", "1"], ["ls"], ["conflicts"]):
            self.assert_says_why(device.attempt(*command), "device run")

    def test_unknown_paths(self):
        self.start_cloud()
        device = self.device("laptop")
        programs.save(device.path("note.md"), b"text")
        device.wait()
        for command in (
            ["why", device.path("absent.md")],
            ["cat", device.path("absent.md")],
            ["versions", device.path("absent.md")],
            ["cat", device.path("note.md"), "--version", "0123456789abcdef"],
            ["resolve", device.path("note.md"), "--keep", "0123456789abcdef"],
        ):
            with self.subTest(command=command):
                self.assert_says_why(device.attempt(*command))
        self.assertEqual(device.attempt("cat", "/etc/hostname").returncode, 1)

    def test_wrong_usage(self):
        device = self.lone_device()
        for command in ([], ["nonsense"], ["join"], ["status", "--nonsense"], ["server"],
                        ["server", "run"], ["wait", "--timeout", "soon"],
                        ["cat", "note.md", "--version", "nonsense"]):
            with self.subTest(command=command):
                done = device.attempt(*command)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertTrue(done.stderr)


@unittest.skipUnless(os.geteuid() == 0, "only root can become another user, or mount")
class RootTests(Scenario):
    """What needs another user, or another file system."""

    def as_nobody(self, *arguments, home):
        return subprocess.run(
            ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
             self.program_for_all(), *arguments],
            capture_output=True, timeout=30, check=False, stdin=subprocess.DEVNULL, cwd="/",
            env={"PATH": os.environ["PATH"], "UBIQUITY_HOME": home,
                 "UBIQUITY_PASSWORD": programs.PASSWORD})

    def program_for_all(self):
        """The program, where the checkout's own folders may be closed to others."""
        copy = os.path.join(self.folder, "ubiquity")
        if not os.path.exists(copy):
            shutil.copy(self.cloud.program, copy)
            os.chmod(self.folder, 0o755)
        return copy

    def test_home_not_writable(self):
        self.start_cloud()
        home = os.path.join(self.folder, "closed")
        os.mkdir(home, 0o755)
        self.assert_says_why(self.as_nobody("device", "run", home=home), home)
        self.assert_says_why(
            self.as_nobody("join", self.cloud.url, "--account", "anna", home=home), home)
        self.assertEqual(os.listdir(home), [])

    def test_data_folder_not_writable(self):
        data = os.path.join(self.folder, "closed")
        os.mkdir(data, 0o755)
        home = self.folder
        self.assert_says_why(
            self.as_nobody("server", "run", "--data", data, "--listen", "127.0.0.1:0", home=home),
            data)
        self.assert_says_why(
            self.as_nobody("server", "account", "add", "anna", "--data", data, home=home), data)
        self.assertEqual(os.listdir(data), [])

    def test_full_disk_of_a_device(self):
        self.start_cloud()
        laptop = self.device("laptop")
        desktop = programs.Device(self.folder, "desktop")
        self.mount(desktop.home, "16m")
        self.addCleanup(desktop.kill)
        desktop.join(self.cloud)
        desktop.start()
        programs.save(laptop.path("small.md"), b"small")
        self.settle(laptop, desktop)
        for number in range(8):
            programs.save(laptop.path(f"big {number}"), os.urandom(4_000_000))
        laptop.wait()
        done = desktop.attempt("wait", "--timeout", "10")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(desktop.process.is_running(), desktop.process.printed())
        stuck = desktop.json("status")
        self.assertTrue(stuck["stuck"], stuck)
        for item in stuck["stuck"]:
            self.assertEqual(item["code"], "disk-full")
            self.assertTrue(item["next"])
        self.assert_content(desktop, "small.md", b"small")
        self.assert_only_whole_files(laptop, desktop)
        # Room is made elsewhere, and all comes.
        for number in range(6):
            os.remove(laptop.path(f"big {number}"))
        programs.settle([laptop, desktop], 90)
        self.assert_same(laptop, desktop)

    def assert_only_whole_files(self, laptop, desktop):
        for name in os.listdir(desktop.documents):
            with open(laptop.path(name), "rb") as file:
                self.assert_content(desktop, name, file.read())

    def test_full_disk_of_the_server(self):
        self.mount(self.cloud.data, "24m")
        self.start_cloud()
        laptop = self.device("laptop")
        for number in range(10):
            programs.save(laptop.path(f"big {number}"), os.urandom(4_000_000))
        done = laptop.attempt("wait", "--timeout", "10")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(self.cloud.process.is_running(), self.cloud.process.printed())
        self.assertTrue(laptop.process.is_running(), laptop.process.printed())
        # A larger disk, the same folder: what was refused is sent by itself.
        subprocess.run(["mount", "-o", "remount,size=200m", self.cloud.data], check=True)
        desktop = self.device("desktop")
        programs.settle([laptop, desktop], 90)
        self.assert_same(laptop, desktop)
        self.assertEqual(len(os.listdir(desktop.documents)), 10)


class RequestTests(Scenario):
    """What a server answers to what is no request of a device."""

    def exchange(self, data):
        with socket.create_connection(("127.0.0.1", self.cloud.port), timeout=10) as connection:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(data)
            answer = b""
            with contextlib.suppress(ConnectionResetError):
                while part := connection.recv(65536):
                    answer += part
            return answer

    def request(self, method, path, body=b"", headers=""):
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}"
        return self.exchange(head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def assert_refused(self, answer, *statuses):
        head, _, body = answer.partition(b"\r\n\r\n")
        self.assertIn(int(head.split()[1]), statuses, answer[:300])
        self.assertTrue(json.loads(body), body)

    def test_requests_that_are_none(self):
        self.start_cloud()
        self.assert_refused(self.exchange(b"nonsense\r\n\r\n"), 400)
        self.assert_refused(self.request("GET", "/absent"), 404)
        self.assert_refused(self.request("PATCH", "/healthz"), 404, 405)
        self.assert_refused(self.request("GET", "/" + "x" * 100_000), 400, 414, 431)
        self.assert_refused(
            self.request("GET", "/healthz", headers="X: " + "x" * 1_000_000 + "\r\n"), 400, 431)
        self.assert_refused(
            self.exchange(b"POST /v1/join HTTP/1.1\r\nHost: x\r\n"
                          b"Content-Length: 99999999999999\r\n\r\n"), 400, 413)
        self.assert_refused(self.request("POST", "/v1/join", b"{"), 400, 415, 422)
        self.assert_refused(self.request("POST", "/v1/join", b"\xff" * 1000), 400, 415, 422)
        self.check_alive()

    def test_sync_without_and_with_a_wrong_token(self):
        self.start_cloud()
        for path in ("/v1/sync", "/v1/sync/operations", "/v1/sync/push"):
            for method in ("GET", "POST"):
                for token in ("", "Authorization: Bearer 00\r\n", "Authorization: nonsense\r\n"):
                    self.assert_refused(
                        self.request(method, path, headers=token), 401, 404, 405)
        self.check_alive()

    def test_health_metrics_and_page(self):
        self.start_cloud()
        self.check_alive()
        self.assertIn(b"# TYPE", self.request("GET", "/metrics"))
        page = self.request("GET", "/")
        self.assertIn(b"text/html", page)
        self.assertIn(b"Ubiquity", page)

    def check_alive(self):
        self.assertTrue(self.request("GET", "/healthz").startswith(b"HTTP/1.1 200"))


@contextlib.contextmanager
def free_port():
    """A port that nobody listens on, and that nobody else gets meanwhile."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


def answer_all(listener, answer):
    """Gives one answer to everybody who connects, until the listener is closed."""
    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()


if __name__ == "__main__":
    unittest.main()
