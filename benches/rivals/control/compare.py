#!/usr/bin/env python3
"""Compares classic control in Vivarium with EnvPool, gymnax and Stable-Baselines3: `python3 benches/rivals/control/compare.py`.

Creates a virtual environment with pinned packages for each rival (PyTorch for Stable-Baselines3 takes several
gigabytes), builds the release program and runs both programs alternately. Arguments select rivals: `compare.py envpool
gymnax`. `--json` prints one JSON line per result. EnvPool needs Python 3.12 or newer.

EnvPool and Vivarium write observations, rewards and flags of every step to memory; gymnax runs in one compiled loop
that keeps only the states.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from side_by_side import compare, release_program  # noqa: E402

RAW = ["control/cartpole/raw/all"]
PPO = ["control/cartpole/ppo/all"]
LEARNING = [*PPO, "control/cartpole/seconds_to_475/all"]
RIVALS = {
    "envpool": ("EnvPool", RAW, 3, 2),
    "gymnax": ("gymnax", RAW, 3, 2),
    "stable_baselines3": ("Stable-Baselines3", LEARNING, 1, 10),
}


def main():
    chosen = [argument for argument in sys.argv[1:] if argument != "--json"] or list(RIVALS)
    unknown = [name for name in chosen if name not in RIVALS]
    if unknown:
        sys.exit(f"unknown rival {', '.join(unknown)}; allowed are {', '.join(RIVALS)}")
    program = release_program()
    for name in chosen:
        rival, selection, rounds, seconds = RIVALS[name]
        script = HERE / name / "cartpole.py"
        compare(program, selection, rival, script, rounds, seconds)
        if name == "stable_baselines3":
            compare(program, PPO, f"{rival}, Vivarium's batch sizes", script, rounds, seconds, options=["our-batch"])


if __name__ == "__main__":
    main()
