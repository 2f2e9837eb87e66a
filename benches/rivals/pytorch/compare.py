#!/usr/bin/env python3
"""Compares gradient steps with PyTorch on the CPU: `python3 benches/rivals/pytorch/compare.py [cube2] [language]`.

Creates a virtual environment with the pinned package, builds the release program and runs both programs alternately.
The best value of each program counts. PyTorch is measured in eager mode and with `torch.compile`, which needs a C++
compiler. `cube2` is a gradient step of deep Q-learning on one thread, `language` a gradient step of a language model on
all threads; the default is both. `--json` prints one JSON line per result.

On Linux the default package of pip includes several gigabytes of CUDA libraries, which are not needed: set
PIP_EXTRA_INDEX_URL to PyTorch's index of CPU wheels, from which pip installs 2.15.0+cpu.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from side_by_side import compare, release_program  # noqa: E402

STEP = ["cube2/train_step/1"]
MODELS = ["shakespeare-char", "wiki-small", "wiki-medium"]
RIVALS = [("PyTorch", []), ("PyTorch, compiled", ["compiled"])]

if __name__ == "__main__":
    program = release_program()
    suites = [name for name in sys.argv[1:] if not name.startswith("--")] or ["cube2", "language"]
    for rival, options in RIVALS:
        if "cube2" in suites:
            compare(program, STEP, rival, HERE / "train_step.py", rounds=4, seconds=5, options=options)
        if "language" in suites:
            for model in MODELS:
                options_of = [model, *options]
                figure = [f"language/{model}/all"]
                compare(program, figure, rival, HERE / "language.py", rounds=3, seconds=10, options=options_of)
