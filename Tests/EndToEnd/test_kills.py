"""SIGKILL at any moment loses nothing: a short scripts/torture."""

import contextlib
import io
import unittest

import torture_kills
from scenario import Scenario


class KillTests(Scenario):
    def test_two_rounds_of_kills(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = torture_kills.run(self.folder, rounds=2, files=150, seed=7)
        self.assertEqual(status, 0, output.getvalue())


if __name__ == "__main__":
    unittest.main()
