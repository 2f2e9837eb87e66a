#!/usr/bin/env python3
"""Compares training of logic automata in Vivarium and JAX on the CPU: `python3 benches/rivals/jax/compare.py`.

Creates a virtual environment with pinned packages, builds the release program and runs both programs alternately. The
best value of each program counts. JAX trains the automaton in two forms: with the gates of the paper, a mixture of
sixteen functions, and with the mixture reduced to four polynomial coefficients, as in Vivarium. `--json` prints one
JSON line per result.
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
