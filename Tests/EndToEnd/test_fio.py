"""Blocks with checksums of fio cross while the writer's daemon is killed and others work."""

import os
import subprocess

import programs
from scenario import Scenario

JOB = ["--name=blocks", "--rw=randwrite", "--size=24m", "--nrfiles=4", "--bs=4k", "--verify=crc32c",
       "--group_reporting", "--ioengine=psync", "--output-format=terse"]


class FioTests(Scenario):
    def test_blocks_written_on_one_verify_on_the_other(self):
        laptop, desktop = self.two_devices()
        os.makedirs(laptop.path("blocks"))
        os.makedirs(desktop.path("notes"))
        writer = subprocess.Popen(
            ["fio", *JOB, "--do_verify=0", "--rate=6m", f"--directory={laptop.path('blocks')}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.folder)
        try:
            number = 0
            while writer.poll() is None:
                programs.save(
                    desktop.path(f"notes/{number % 7}.md"), b"note %d\n" % number)
                number += 1
                if number == 20:
                    laptop.kill()
                    laptop.start()
                self.pause_for_a_moment(writer)
        finally:
            writer.kill()
            errors = writer.communicate()[1]
        self.assertEqual(writer.returncode, 0, errors)
        self.assertGreater(number, 20)
        programs.settle([laptop, desktop], 90)
        self.assert_same(laptop, desktop)
        programs.run(
            ["fio", *JOB, "--verify_only", f"--directory={desktop.path('blocks')}",
             f"--aux-path={self.folder}"])
        self.assert_same(laptop, desktop)

    def pause_for_a_moment(self, writer):
        try:
            writer.wait(0.05)
        except subprocess.TimeoutExpired:
            pass
