"""Checks the table of generators. Needs neither the network nor a parser."""

import re
import unittest

from fidelity.generators import GENERATORS, PACKAGES


class Generators(unittest.TestCase):
    def test_names_and_packages(self):
        names = [generator.name for generator in GENERATORS]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual({generator.package for generator in GENERATORS}, set(PACKAGES))
        for version, checksum in PACKAGES.values():
            self.assertRegex(checksum, r"^[0-9a-f]{64}$")
            self.assertRegex(version, r"^([0-9]+:)?[0-9][A-Za-z0-9.+~-]*$")

    def test_half_is_held_out(self):
        held = [generator.split == "test" for generator in GENERATORS]
        self.assertEqual({generator.split for generator in GENERATORS}, {"dev", "test"})
        self.assertLessEqual(abs(2 * sum(held) - len(held)), 2)
        formulas = {generator.split for generator in GENERATORS if generator.raw}
        self.assertEqual(formulas, {"dev", "test"}, "formulas on both sides")

    def test_patterns(self):
        for generator in GENERATORS:
            re.compile(generator.files)
            self.assertTrue(generator.area, generator.name)


if __name__ == "__main__":
    unittest.main()
