"""The short form of scripts/crash-consistency: a few steps, and some of their states."""

import os
import random
import shutil
import tempfile
import unittest

import crash_consistency
import crash_model

STEPS = ["ben_makes_a_file_loosely", "ben_saves_it_loosely_in_place", "ada_makes_a_file",
         "ada_saves_it", "ben_deletes_what_was_loose", "ada_makes_a_package",
         "ada_replaces_a_packages_member"]


@unittest.skipUnless(shutil.which("strace"), "strace is not there")
class CrashConsistency(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.mkdtemp(prefix="ubiquity-crash-")
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        _, cls.story = crash_consistency.recorded(folder, STEPS)

    def test_what_others_have_is_durable_here(self):
        """Whatever program saved it, and whether it cared for that or not."""
        files = {op.inode for op in self.story.recording.ops if b"loose by ben" in op.names}
        contents = [op for op in self.story.recording.ops
                    if op.kind == "data" and op.inode in files
                    and op.inode.home == crash_consistency.CUT]
        self.assertEqual(len(contents), 2)
        told = [place for place, name in self.story.recording.marks if b"acknowledged" in name]
        for op, place in zip(contents, told):
            self.assertLess(op.durable or self.story.recording.places, place)
        for op in self.story.recording.ops:
            if b"loose by ben" in op.names and op.inode.home == crash_consistency.CUT:
                self.assertIsNotNone(op.durable, op.kind)

    def test_a_package_that_was_replaced_goes_when_the_disk_knows(self):
        """Else half of it could stand at its place after the cut."""
        ops = [op for op in self.story.recording.ops
               if op.inode.home == crash_consistency.CUT]
        [swap] = [op for op in ops if op.kind == "exchange" and op.inode.kind == "folder"]
        removed = [op for op in ops if op.kind == "remove" and op.names[0].startswith(b"member")]
        self.assertEqual(len(removed), 2)
        for op in removed:
            self.assertLess(swap.durable, op.place)

    def test_some_states_after_a_power_cut(self):
        classes, _, _ = crash_consistency.cases(self.story)
        random.Random(os.getpid()).shuffle(classes)
        try:
            found = crash_consistency.judge_all(self.story, classes[:8], jobs=1)
        except crash_model.Failure as failure:
            self.skipTest(str(failure))
        self.assertEqual([(case.place, case.name, wrong) for case, wrong in found], [])
