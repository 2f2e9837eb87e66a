"""Compares checker plays with GNU Backgammon, at match scores and with a doubling cube: mean loss in millipoints.

    apt-get install gnubg
    python3 benches/rivals/gnubg/plays.py target/release/vivarium                   # 500 positions at 1 ply
    python3 benches/rivals/gnubg/plays.py OLD NEW --positions 200 --options "--simulations 800"

GNU Backgammon evaluates all plays of a roll at 2 plies, at a random match score or for money. The loss of a play is its equity below
the best play at this score. Each program names its best play by `hint`. Positions in which this play is not among the eight best ones
of GNU Backgammon have the loss of the last of these. The record is kept in target/plays-record.txt for the next comparison.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
RECORD = ROOT / "target" / "plays-record.txt"
SCRIPT = ROOT / "crates" / "envs" / "tests" / "fixtures" / "gnubg_plays.py"


def change(play):
    """Change of the player's checkers by a play, and its hits: equal for all notations of a play."""
    counts = {}
    for part in play.replace("*", "").split():
        route, times = re.fullmatch(r"([^()]+)(?:\((\d)\))?", part).groups()
        places = [{"bar": 25, "off": 0}.get(place) if place in ("bar", "off") else int(place) for place in route.split("/")]
        for place, step in ((places[0], -1), (places[-1], 1)):
            counts[place] = counts.get(place, 0) + step * int(times or 1)
    moved = frozenset(item for item in counts.items() if item[1])
    return moved, frozenset(re.findall(r"(\d+)\*", play))


def read(line):
    """XGID and plays of a line, as pairs of change and equity."""
    xgid, *fields = line.split(";")
    plays = [(change(field.rsplit(" ", 6)[0]), float(field.rsplit(" ", 1)[1])) for field in fields]
    return xgid, plays


def losses(program, options, rows):
    """Losses of the best plays of a program."""
    asked = "".join(f"{xgid}\n" for xgid, _ in rows)
    command = [program, "hint", "-", "--json", *shlex.split(options)]
    out = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = []
    for (_, plays), line in zip(rows, out.splitlines(), strict=True):
        best = change(json.loads(line)["plays"][0]["play"])
        equities = [equity for _, equity in plays]
        found.append(max(equities) - dict(plays).get(best, min(equities)))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--options", default="--plies 1")
    arguments = parser.parse_args()
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    if len(lines) < arguments.positions:
        RECORD.parent.mkdir(exist_ok=True)
        with RECORD.open("w") as file:
            subprocess.run([sys.executable, SCRIPT, str(arguments.positions)], stdout=file, check=True)
        lines = RECORD.read_text().splitlines()
    rows = [read(line) for line in lines[: arguments.positions]]
    is_match = [xgid.split(":")[8] != "0" for xgid, _ in rows]
    for program in arguments.programs:
        found = losses(program, arguments.options, rows)
        for name, chosen in (("match", True), ("money", False)):
            part = [loss for loss, at in zip(found, is_match, strict=True) if at == chosen]
            best = sum(loss < 0.0005 for loss in part)
            mean = 1000 * sum(part) / max(len(part), 1)
            print(f"{program} {arguments.options}: {name}: {mean:.1f} millipoints a play, {best} of {len(part)} are best")


if __name__ == "__main__":
    main()
