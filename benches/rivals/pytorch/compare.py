#!/usr/bin/env python3
"""A step of deep Q-learning against PyTorch on the CPU, side by side: `python3 benches/rivals/pytorch/compare.py`.

Sets up a virtual environment here with the pinned package, builds the release program, and lets both measure in turns,
so that they see the same machine in the same state; each keeps its best. PyTorch takes the step twice: operation by
operation, and with the network and its loss compiled, for which it needs a C++ compiler. `--json` prints one JSON line
a figure.

On Linux the package that pip finds by itself brings several gigabytes of CUDA along, which nothing here uses: set
PIP_EXTRA_INDEX_URL to PyTorch's own index of wheels for the CPU, and pip takes the one of 2.15.0+cpu.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from side_by_side import compare, release_program  # noqa: E402

STEP = ["cube2/train_step/1"]

if __name__ == "__main__":
    program, script = release_program(), HERE / "train_step.py"
    compare(program, STEP, "PyTorch", script, rounds=4, seconds=5)
    compare(program, STEP, "PyTorch, compiled", script, rounds=4, seconds=5, options=["compiled"])
