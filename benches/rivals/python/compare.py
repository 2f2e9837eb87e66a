#!/usr/bin/env python3
"""Compares the environments of vivarium_ml with those of other Python packages: `python3 benches/rivals/python/compare.py`.

Creates a virtual environment for each package, builds vivarium_ml, and measures steps per second through Python with 64,
1,024 and 16,384 environments. The packages run alternately; the best round of each counts. Arguments select packages:
`compare.py envpool pgx`. `--json` prints one JSON line per result. EnvPool needs Python 3.12 or newer.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RIVALS_FOLDER = HERE.parent
sys.path.insert(0, str(RIVALS_FOLDER))
from side_by_side import ROOT, figures, keep_best, python_with_requirements, report  # noqa: E402

# Name and folder with the requirements of each package.
RIVALS = {
    "envpool": ("EnvPool", RIVALS_FOLDER / "control/envpool"),
    "gymnax": ("gymnax", RIVALS_FOLDER / "control/gymnax"),
    "gymnasium": ("Gymnasium's SyncVectorEnv", HERE / "gymnasium"),
    "pgx": ("pgx", HERE / "pgx"),
}
ROUNDS = 3
SECONDS = 2


def main():
    chosen = [argument for argument in sys.argv[1:] if argument != "--json"] or list(RIVALS)
    unknown = [name for name in chosen if name not in RIVALS]
    if unknown:
        sys.exit(f"unknown rival {', '.join(unknown)}; allowed are {', '.join(RIVALS)}")
    python = {program: python_with_requirements(RIVALS[program][1]) for program in chosen}
    # vivarium_ml needs Gymnasium.
    python["vivarium"] = python_with_requirements(HERE / "gymnasium")
    subprocess.run([python["vivarium"], "-m", "pip", "install", "--quiet", ROOT], check=True)
    best = {program: {} for program in ("vivarium", *chosen)}
    for _ in range(ROUNDS):
        for program, results in best.items():
            keep_best(results, figures([python[program], "-W", "ignore", HERE / "steps.py", program, str(SECONDS)]))
    for program in chosen:
        for name, figure in best[program].items():
            report(best["vivarium"][name], RIVALS[program][0], figure["value"])


if __name__ == "__main__":
    main()
