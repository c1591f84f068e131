"""Measures speed: `python -m benchmarks` (see docs/performance.md for what it measures and what came of it)."""
