"""Everything at once, for a short while: a short scripts/torture, which compares times, too."""

import concurrent.futures
import functools
import unittest

import torture


class TortureTests(unittest.TestCase):
    def test_three_runs(self):
        seeds = range(1, 4)
        with concurrent.futures.ProcessPoolExecutor(len(seeds)) as pool:
            run = functools.partial(torture.play, seconds=2, compares_times=False)
            runs = list(pool.map(run, seeds))
        for seed, (wrong, story) in zip(seeds, runs):
            with self.subTest(seed=seed):
                self.assertEqual(wrong, [], "\n".join(story))


if __name__ == "__main__":
    unittest.main()
