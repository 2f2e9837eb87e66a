"""Compares doubling decisions with GNU Backgammon: agreement and loss in millipoints.

    apt-get install gnubg
    python3 benches/rivals/gnubg/doubling.py          # 2,000 decisions; another number as argument

GNU Backgammon plays games, evaluates positions before the roll at 2 plies in random money and match contexts, and
prints its cubeless probabilities and its equities with the doubling cube. Janowski's formula decides from the same
probabilities. The comparison is the test of the crate vivarium-envs, with the new record instead of its fixture.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
RECORD = ROOT / "target" / "doubling-record.txt"


def main():
    decisions = sys.argv[1] if len(sys.argv) > 1 else "2000"
    script = ROOT / "crates" / "envs" / "tests" / "fixtures" / "gnubg_doubling.py"
    RECORD.parent.mkdir(exist_ok=True)
    with RECORD.open("w") as file:
        subprocess.run([sys.executable, script, decisions], stdout=file, check=True)
    test = ["cargo", "test", "--release", "-p", "vivarium-envs", "--test", "integration", "doubling_decisions"]
    environment = {**os.environ, "VIVARIUM_DOUBLING_RECORD": str(RECORD)}
    subprocess.run([*test, "--", "--nocapture"], cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    main()
