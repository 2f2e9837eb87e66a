"""Compares doubling decisions with GNU Backgammon: agreement and loss in millipoints.

    apt-get install gnubg
    python3 benches/rivals/gnubg/doubling.py          # 2,000 decisions; another number as argument
    python3 benches/rivals/gnubg/doubling.py --program target/release/vivarium --options "--plies 2"

GNU Backgammon plays games, evaluates positions before the roll at 2 plies in random money and match contexts, and
prints its cubeless probabilities and its equities with the doubling cube. Janowski's formula decides from the same
probabilities. The comparison of the formula is a test of the crate vivarium-envs, with the record instead of its fixture.

With --program, `hint` decides with its network. The record is kept in target/doubling-record.txt and reused; delete the file for a new
record.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
RECORD = ROOT / "target" / "doubling-record.txt"
SCRIPT = ROOT / "crates" / "envs" / "tests" / "fixtures" / "gnubg_doubling.py"
# Largest difference of recorded equities that counts as a tie: they have three decimals.
TIE = 0.0011


def record(decisions):
    """Lines of the record, which is made if it is too short."""
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    if len(lines) < decisions:
        RECORD.parent.mkdir(exist_ok=True)
        with RECORD.open("w") as file:
            subprocess.run([sys.executable, SCRIPT, str(decisions)], stdout=file, check=True)
        lines = RECORD.read_text().splitlines()
    return lines[:decisions]


def compare_formula(lines):
    """Prints the agreement of Janowski's formula."""
    part = RECORD.with_name("doubling-record-part.txt")
    part.write_text("".join(f"{line}\n" for line in lines))
    test = ["cargo", "test", "--release", "-p", "vivarium-envs", "--test", "integration", "doubling_decisions"]
    environment = {**os.environ, "VIVARIUM_DOUBLING_RECORD": str(part)}
    subprocess.run([*test, "--", "--nocapture"], cwd=ROOT, env=environment, check=True)


def compare_program(program, options, lines):
    """Prints the agreement of the decisions of a program."""
    rows = [line.split() for line in lines]
    asked = "".join(f"{row[0]}\n" for row in rows)
    command = [program, "hint", "-", "--json", *shlex.split(options)]
    out = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout
    hints = [json.loads(line) for line in out.splitlines()]
    for name, is_match in (("money", False), ("match", True)):
        part = [pair for pair in zip(rows, hints, strict=True) if (pair[0][0].split(":")[8] != "0") == is_match]
        same_double = same_take = doubles = 0
        lost_by_double = lost_by_take = win_error = 0.0
        for row, hint in part:
            no_double, take, passed = map(float, row[8:11])
            double = min(take, passed)
            decision = hint["doubling"]
            is_take = decision["double_take"] <= decision["double_pass"]
            is_double = min(decision["double_take"], decision["double_pass"]) > decision["no_double"]
            same_double += abs(double - no_double) < TIE or is_double == (double > no_double)
            same_take += is_take == (take <= passed)
            lost_by_double += max(no_double, double) - (double if is_double else no_double)
            if is_double or double > no_double:
                doubles += 1
                lost_by_take += (take if is_take else passed) - double
            win_error += abs(hint["probabilities"][0] - float(row[3]))
        count = max(len(part), 1)
        print(
            f"{name}: {len(part)} decisions, double {100 * same_double / count:.1f} %, take {100 * same_take / count:.1f} %, "
            f"lost {1000 * lost_by_double / count:.1f} and {1000 * lost_by_take / max(doubles, 1):.1f} millipoints; "
            f"mean error of the winning probability {100 * win_error / count:.1f} percentage points"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decisions", nargs="?", type=int, default=2000)
    parser.add_argument("--program")
    parser.add_argument("--options", default="")
    arguments = parser.parse_args()
    lines = record(arguments.decisions)
    if arguments.program:
        compare_program(arguments.program, arguments.options, lines)
    else:
        compare_formula(lines)


if __name__ == "__main__":
    main()
