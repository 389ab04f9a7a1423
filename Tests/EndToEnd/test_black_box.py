"""Random people at three devices, seen from outside only, for a short while."""

import unittest

import black_box


class BlackBoxTests(unittest.TestCase):
    def test_some_schedules(self):
        for seed in range(1, 7):
            with self.subTest(seed=seed):
                wrong, story = black_box.play(seed, 60)
                self.assertEqual(wrong, [], "\n".join(story))


if __name__ == "__main__":
    unittest.main()
