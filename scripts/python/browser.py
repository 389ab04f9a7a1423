"""A headless Chromium that opens one page, and the server that gives the page its files."""

import http.server
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading

from programs import Failure

TYPES = {".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm"}


def is_installed():
    return shutil.which("chromium") is not None


def result_of(page, files, seconds):
    """Opens a page, with files by their names, and waits for the JSON that it posts to `result`."""
    results = queue.Queue()

    class Requests(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.split("?")[0].lstrip("/")
            content = files.get(name)
            self.send_response(404 if content is None else 200)
            self.send_header(
                "Content-Type", TYPES.get(os.path.splitext(name)[1], "application/octet-stream"))
            self.send_header("Content-Length", str(len(content or b"")))
            # A page that is alone in its process has a finer clock.
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
            self.end_headers()
            self.wfile.write(content or b"")

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()
            results.put(json.loads(body))

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Requests)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    profile = tempfile.mkdtemp(prefix="ubiquity-browser-")
    try:
        with chromium(f"http://127.0.0.1:{server.server_port}/{page}", profile) as browser:
            return answer(results, browser, seconds)
    finally:
        server.shutdown()
        shutil.rmtree(profile, ignore_errors=True)


def answer(results, browser, seconds):
    try:
        return results.get(timeout=seconds)
    except queue.Empty:
        ended = "" if browser.is_running() else ", and it has ended"
        raise Failure(f"Chromium gave no result within {seconds} s{ended}") from None


class chromium:
    """The browser's processes, from the first to the last line of a `with`."""

    def __init__(self, url, profile):
        self.child = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", f"--user-data-dir={profile}", url],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)

    def is_running(self):
        return self.child.poll() is None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Its own session: all that it started ends with it.
        os.killpg(self.child.pid, 9)
        self.child.wait()
