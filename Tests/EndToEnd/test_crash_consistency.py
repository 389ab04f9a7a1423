"""The short form of scripts/crash-consistency: a few steps, and some of their states."""

import os
import random
import shutil
import unittest

import crash_consistency
import crash_model
import scenario

STEPS = ["ben_makes_a_file_loosely", "ben_saves_it_loosely_in_place", "ada_makes_a_file",
         "ada_saves_it", "ben_deletes_what_was_loose"]


@unittest.skipUnless(shutil.which("strace"), "strace is not there")
class CrashConsistency(scenario.Scenario):
    def setUp(self):
        super().setUp()
        crash_consistency.record(self.folder, STEPS)
        self.story = crash_consistency.Story(self.folder)

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

    def test_some_states_after_a_power_cut(self):
        classes, _, _ = crash_consistency.cases(self.story)
        random.Random(os.getpid()).shuffle(classes)
        try:
            found = crash_consistency.judge_all(self.story, classes[:8], jobs=1)
        except crash_model.Failure as failure:
            self.skipTest(str(failure))
        self.assertEqual([(case.place, case.name, wrong) for case, wrong in found], [])
