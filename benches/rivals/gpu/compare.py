#!/usr/bin/env python3
"""Compares the GPU engine with PyTorch and JAX on the same NVIDIA GPU: `python3 benches/rivals/gpu/compare.py`.

Creates a virtual environment with the CUDA builds of the pinned packages (several gigabytes), builds the release
program and runs both programs alternately. The best value of each program counts. With `--installed` the rivals run in
the interpreter of this script; `--program FILE` names a built program. `--json` prints one JSON line per result.
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RIVALS = HERE.parent
sys.path.insert(0, str(RIVALS))
from side_by_side import compare, python_with_requirements, release_program  # noqa: E402

GEMM = HERE / "gemm.py"
GYMNAX = RIVALS / "control/gymnax/cartpole.py"
CHECKERBOARD = RIVALS / "jax/checkerboard.py"
LANGUAGE = RIVALS / "pytorch/language.py"
MODELS = ["shakespeare-char", "wiki-small", "wiki-medium"]
# Benchmark names of Vivarium, name of the rival, its script, and the script's options.
COMPARISONS = [
    (["gpu/gemm"], "PyTorch, FP32", GEMM, []),
    (["gpu/gemm"], "PyTorch, TF32", GEMM, ["tf32"]),
    (["gpu/cartpole/raw"], "gymnax", GYMNAX, ["gpu"]),
    (["gpu/logic-ca/epoch"], "JAX, 16 functions", CHECKERBOARD, ["gpu"]),
    (["gpu/logic-ca/epoch"], "JAX, 4 coefficients", CHECKERBOARD, ["collapsed", "gpu"]),
    *(([f"gpu/language/{model}"], "PyTorch, FP32", LANGUAGE, [model, "gpu"]) for model in MODELS),
    *(([f"gpu/language/{model}"], "PyTorch, BF16", LANGUAGE, [model, "gpu", "bf16", "tf32"]) for model in MODELS),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--installed", action="store_true", help="use the packages of this interpreter")
    parser.add_argument("--program", help="built program `vivarium`")
    parser.add_argument("--json", action="store_true", help="print one JSON line per result")
    parser.add_argument("--rounds", type=int, default=2, help="alternating runs of each comparison")
    parser.add_argument("--seconds", type=float, default=2, help="seconds of each measurement of a rival")
    options = parser.parse_args()
    program = options.program or release_program()
    python = sys.executable if options.installed else python_with_requirements(HERE)
    for selection, rival, script, arguments in COMPARISONS:
        compare(program, selection, rival, script, options.rounds, options.seconds, arguments, python)


if __name__ == "__main__":
    main()
