"""The parts of scripts/bench-rivals."""
