"""Comparison of Vivarium's benchmark results with those of a reference implementation ("rival"). Shared by all `compare.py` scripts.

A rival is a folder with `requirements.txt` and a script that prints one JSON line per result, with the names of
`vivarium bench`.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Oldest version of Python for which a rival's packages exist, by the name of its folder.
OLDEST_PYTHON = {"envpool": (3, 12)}

# Lower is better for these units, higher for all others.
UNITS_OF_TIME = ("s", "ms", "us", "ns")


def python_with_requirements(folder):
    """Returns the interpreter of the folder's virtual environment, which is created if necessary."""
    oldest = OLDEST_PYTHON.get(folder.name, (3, 10))
    if sys.version_info < oldest:
        running, needed = (".".join(map(str, version[:2])) for version in (sys.version_info, oldest))
        sys.exit(f"{folder.name} has no packages for Python {running}; run this script with Python {needed} or newer")
    environment = folder / ".venv"
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = environment / "requirements.installed"
    wanted = (folder / "requirements.txt").read_text()
    if not done.exists() or done.read_text() != wanted:
        print(f"Installing {', '.join(wanted.split())} into {environment} …", file=sys.stderr)
        venv.create(environment, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", folder / "requirements.txt"], check=True)
        done.write_text(wanted)
    return python


def release_program():
    """Builds the release program and returns its path."""
    build = ["cargo", "build", "--release", "--message-format=json-render-diagnostics", "-p", "vivarium-cli"]
    messages = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return next(m["executable"] for m in map(json.loads, messages.splitlines()) if m.get("executable"))


def figures(command):
    """Runs a command that prints JSON lines, and returns the results by name."""
    out = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {figure["name"]: figure for figure in map(json.loads, out.splitlines())}


def keep_best(best, found):
    """Updates the best result of each name in `best` with the results in `found`."""
    for name, figure in found.items():
        kept = best.get(name)
        sign = -1 if figure["unit"] in UNITS_OF_TIME else 1
        if kept is None or sign * figure["value"] > sign * kept["value"]:
            best[name] = figure


def compare(program, selection, rival, script, rounds, seconds, options=(), python=None):
    """Runs both programs alternately, under the same machine state, and prints the best result of each. The arguments of the
    rival's script are the seconds per benchmark and `options`. The rival runs in the interpreter `python`, by default the
    interpreter in the virtual environment of the script's folder."""
    python = python or python_with_requirements(script.parent)
    ours, theirs = {}, {}
    for _ in range(rounds):
        keep_best(ours, figures([program, "bench", *selection, "--json"]))
        keep_best(theirs, figures([python, "-W", "ignore", script, str(seconds), *options]))
    for name, figure in ours.items():
        if name in theirs:
            report(figure, rival, theirs[name]["value"])


def report(figure, rival, other):
    """Prints a result beside the rival's value: as a JSON line with the argument `--json`, else with the ratio."""
    if "--json" in sys.argv[1:]:
        print(json.dumps({**figure, "rival": {"name": rival, "value": other}}), flush=True)
        return
    name, value, unit = figure["name"], figure["value"], figure["unit"]
    ratio = other / value if unit in UNITS_OF_TIME else value / other
    print(f"{name:<36} {value:>15,.4g} {unit:<9} {rival} {other:>12,.4g}   {ratio:,.2f} ×", flush=True)
