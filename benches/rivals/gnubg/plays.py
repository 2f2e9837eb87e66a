"""Compares checker plays at match scores with GNU Backgammon: mean loss in millipoints.

    apt-get install gnubg
    python3 benches/rivals/gnubg/plays.py target/release/vivarium [other program …] [--positions N] [--options "--plies 1"]

The positions are those of the doubling decisions of the tests. GNU Backgammon evaluates all plays of a random roll at 2 plies, at a
random match score or for money, with a random doubling cube. The loss of a play is its equity below the best play, at this score, by GNU Backgammon. Each program names its best
play by `hint`. The record is kept in target/plays-record.json for the next comparison.
"""

import argparse
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
RECORD = ROOT / "target" / "plays-record.json"
FIXTURES = ROOT / "crates" / "envs" / "tests" / "fixtures"
sys.path.insert(0, str(FIXTURES))


def context(rng):
    """Fields of an XGID before and after the dice, with the player on roll at the bottom: cube and owner; scores, rule and length."""
    if rng.random() < 0.2:
        exponent, owner = rng.choice([(0, 0), (1, 1), (1, -1)])
        return f"{exponent}:{owner}:1", f"0:0:{rng.choice([0, 1])}:0:10"
    length = rng.choice([3, 5, 7, 9])
    mine, theirs = (length - rng.choice([1, 1, 2, 2, 3, 4, 5]) for _ in range(2))
    mine, theirs = max(mine, 0), max(theirs, 0)
    one_away = (mine == length - 1) != (theirs == length - 1)
    if one_away and rng.random() < 0.5:
        return "0:0:1", f"{mine}:{theirs}:1:{length}:10"
    exponent, owner = rng.choice([(0, 0), (1, 1), (1, -1), (2, -1)])
    return f"{exponent}:{owner}:1", f"{mine}:{theirs}:0:{length}:10"


def record(count):
    """Positions with the equities of all plays by GNU Backgammon at 2 plies."""
    import gnubg_doubling as gnubg

    rng = random.Random(11)
    doublings = (FIXTURES / "gnubg_doubling.txt").read_text().splitlines()
    found = [line.split()[1] for line in doublings] * (1 + count // len(doublings))
    rows = []
    while found and len(rows) < count:
        asked = []
        commands = [
            "set automatic roll off",
            "set automatic game off",
            "set output mwc off",
            "set evaluation chequerplay evaluation plies 2",
            "set evaluation chequerplay evaluation cubeful on",
            "set evaluation movefilter 2 0 0 40 5.0",
        ]
        for position in found[:4]:
            before, after = context(rng)
            dice = f"{rng.randint(1, 6)}{rng.randint(1, 6)}"
            asked.append(f"XGID={gnubg.board(*gnubg.sides(position))}:{before}:{dice}:{after}")
            commands += [f"set xgid {asked[-1]}", "hint 999"]
        del found[:4]
        # A board is printed before the plays of each position.
        parts = re.split(r"(?=Position ID: )", gnubg.run(commands))
        by_board = {}
        for part in parts:
            plays = re.findall(r"^ +\d+\. Cubeful \d-ply +(.+?) +Eq\.: +([-+][\d.]+)", part, re.MULTILINE)
            if plays:
                by_board[gnubg.board(*gnubg.sides(part.split()[2]))] = plays
        for xgid in asked:
            plays = by_board.get(xgid[5:31], [])
            if len(plays) > 1:
                rows.append({"xgid": xgid, "plays": [[play, float(equity)] for play, equity in plays]})
    return rows[:count]


def moves(play):
    """Moves of a play without hits, order and repeats, as pairs of points."""
    found = []
    for part in play.replace("*", "").split():
        route, times = re.fullmatch(r"([^()]+)(?:\((\d)\))?", part).groups()
        points = [{"bar": 25, "off": 0}.get(point) or int(point) if point != "off" else 0 for point in route.split("/")]
        found += [(points[0], points[-1])] * int(times or 1)
    return found


def after(play):
    """Change of the player's checkers by a play, which is equal for plays to the same position apart from hits."""
    change = {}
    for start, end in moves(play):
        change[start] = change.get(start, 0) - 1
        change[end] = change.get(end, 0) + 1
    return frozenset((point, count) for point, count in change.items() if count), frozenset(
        re.findall(r"(\d+)\*", play)
    )


def losses(program, options, rows):
    """Losses of the best plays of a program."""
    asked = "\n".join(row["xgid"] for row in rows) + "\n"
    command = [program, "hint", "-", "--json", *shlex.split(options)]
    out = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = []
    for row, line in zip(rows, out.splitlines(), strict=True):
        best = after(json.loads(line)["plays"][0]["play"])
        equities = [equity for play, equity in row["plays"] if after(play) == best]
        if not equities:
            sys.exit(f"{program}: play not found in {row}: {line}")
        found.append(max(equity for _, equity in row["plays"]) - equities[0])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--options", default="--plies 1")
    arguments = parser.parse_args()
    rows = json.loads(RECORD.read_text()) if RECORD.exists() else []
    if len(rows) < arguments.positions:
        rows = record(arguments.positions)
        RECORD.parent.mkdir(exist_ok=True)
        RECORD.write_text(json.dumps(rows))
    rows = rows[: arguments.positions]
    is_match = [row["xgid"].split(":")[8] != "0" for row in rows]
    print(f"{len(rows)} positions, {sum(is_match)} at match scores; hint {arguments.options}")
    for program in arguments.programs:
        found = losses(program, arguments.options, rows)
        for name, chosen in (("match", True), ("money", False)):
            part = [loss for loss, at in zip(found, is_match, strict=True) if at == chosen]
            best = sum(loss < 0.0005 for loss in part)
            mean = 1000 * sum(part) / max(len(part), 1)
            print(f"{program}: {name}: {mean:.1f} millipoints a play, {best} of {len(part)} plays are best")


if __name__ == "__main__":
    main()
