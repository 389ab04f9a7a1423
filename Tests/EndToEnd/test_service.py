"""The systemd unit that runs a device with a person's session."""

import os
import shlex
import shutil
import subprocess

import programs
from scenario import Scenario


class ServiceTests(Scenario):
    def setUp(self):
        super().setUp()
        self.config = os.path.join(self.folder, "config")
        self.home = os.path.join(self.folder, "a home with 100% $HOME \"quotes\"")

    def ubiquity(self, *arguments, home=None):
        environment = dict(os.environ, XDG_CONFIG_HOME=self.config, HOME=self.folder)
        environment.pop("UBIQUITY_HOME", None)
        if home:
            environment["UBIQUITY_HOME"] = home
        return subprocess.run(
            [programs.program(), *arguments], env=environment, capture_output=True, check=False)

    def unit(self, *arguments, home=None):
        """The file that an installation without a start has written."""
        done = self.ubiquity("device", "install", "--no-start", *arguments, home=home)
        self.assertEqual(done.returncode, 0, done.stderr)
        path = done.stdout.decode().removesuffix(": written\n")
        self.assertEqual(os.path.dirname(path), os.path.join(self.config, "systemd", "user"))
        return path

    def test_systemd_finds_nothing_wrong_with_it(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("there is no systemd-analyze")
        for home in (None, self.home):
            path = self.unit(home=home)
            done = subprocess.run(
                ["systemd-analyze", "verify", "--user", path], capture_output=True, check=False,
                env=dict(os.environ, XDG_RUNTIME_DIR=self.folder))
            self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_it_says_what_is_to_run_where(self):
        with open(self.unit(), encoding="utf-8") as file:
            usual = file.read()
        self.assertNotIn("Environment=", usual)
        start = next(line for line in usual.splitlines() if line.startswith("ExecStart="))
        words = shlex.split(start.removeprefix("ExecStart="))
        self.assertEqual(words, [os.path.realpath(programs.program()), "device", "run"])
        path = self.unit(home=self.home)
        self.assertNotEqual(os.path.basename(path), "ubiquity.service")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        escaped = self.home.replace('"', '\\"').replace("%", "%%")
        self.assertIn(f'Environment="UBIQUITY_HOME={escaped}"', text)

    def test_installed_twice_it_is_one_and_it_goes_again(self):
        first, second = self.unit(), self.unit()
        self.assertEqual(first, second)
        self.assertEqual(os.listdir(os.path.dirname(first)), ["ubiquity.service"])
        self.assertEqual(self.ubiquity("device", "uninstall").returncode, 0)
        self.assertEqual(os.listdir(os.path.dirname(first)), [])
        self.assert_says_why(self.ubiquity("device", "uninstall"), "nothing is installed")

    def test_without_a_session_of_systemd_it_says_what_to_do(self):
        empty = os.path.join(self.folder, "empty")
        os.makedirs(empty)
        environment = dict(os.environ, XDG_CONFIG_HOME=self.config, PATH=empty)
        done = subprocess.run(
            [programs.program(), "device", "install"], env=environment, capture_output=True,
            check=False)
        self.assert_says_why(done, "systemctl", "ubiquity device run")

    def test_a_folder_that_is_a_file_is_refused(self):
        with open(self.config, "w", encoding="utf-8"):
            pass
        done = self.ubiquity("device", "install", "--no-start")
        self.assert_says_why(done, "cannot write", self.config)
