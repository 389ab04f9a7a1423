"""Everything at once, for a short while: a short scripts/torture."""

import concurrent.futures
import unittest

import torture


class TortureTests(unittest.TestCase):
    def test_three_runs(self):
        seeds = range(1, 4)
        with concurrent.futures.ProcessPoolExecutor(len(seeds)) as pool:
            runs = list(pool.map(torture.play, seeds, [2] * len(seeds)))
        for seed, (wrong, story) in zip(seeds, runs):
            with self.subTest(seed=seed):
                self.assertEqual(wrong, [], "\n".join(story))


if __name__ == "__main__":
    unittest.main()
