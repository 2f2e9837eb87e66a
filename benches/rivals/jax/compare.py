#!/usr/bin/env python3
"""Vivarium's logic automata against JAX on the CPU, side by side: `python3 benches/rivals/jax/compare.py`.

Creates a virtual environment with pinned packages, builds the release program and measures alternately; the best value of each counts.
JAX trains the automaton in two forms: with the published gates, a mixture of sixteen functions, and with the mixture collapsed into
four coefficients, as in Vivarium. `--json` prints one JSON line per figure.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from side_by_side import compare, release_program  # noqa: E402

EPOCH = ["logic-ca/checkerboard/epoch/all"]

if __name__ == "__main__":
    program, script = release_program(), HERE / "checkerboard.py"
    compare(program, EPOCH, "JAX, 16 functions", script, rounds=2, seconds=10)
    compare(program, EPOCH, "JAX, 4 coefficients", script, rounds=2, seconds=10, options=["collapsed"])
