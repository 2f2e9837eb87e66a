#!/usr/bin/env python3
"""Vivarium's forward pass against ONNX Runtime's, side by side: `python3 benches/rivals/onnxruntime/compare.py`.

Sets up a virtual environment here with the pinned packages, builds the release program, and lets both measure in turns,
so that they see the same machine in the same state; each keeps its best. `--json` prints one JSON line a figure.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ROUNDS = 5


def python_with_requirements():
    """The interpreter of the environment, made and filled if need be."""
    environment = HERE / ".venv"
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = environment / "requirements.installed"
    wanted = (HERE / "requirements.txt").read_text()
    if not done.exists() or done.read_text() != wanted:
        print(f"Installing {', '.join(wanted.split())} into {environment} …", file=sys.stderr)
        venv.create(environment, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", HERE / "requirements.txt"], check=True)
        done.write_text(wanted)
    return python


def figures(command):
    """The figures that a program prints, by name."""
    out = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {figure["name"]: figure for figure in map(json.loads, out.splitlines())}


def main():
    python = python_with_requirements()
    build = ["cargo", "build", "--release", "--message-format=json-render-diagnostics", "-p", "vivarium-cli"]
    messages = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    program = next(m["executable"] for m in map(json.loads, messages.splitlines()) if m.get("executable"))
    ours, theirs = {}, {}
    for _ in range(ROUNDS):
        turns = [
            (ours, [program, "bench", "graph/residual_mlp", "--json"]),
            (theirs, [python, HERE / "residual_mlp.py", "1"]),
        ]
        for best, command in turns:
            for name, figure in figures(command).items():
                if name not in best or figure["value"] > best[name]["value"]:
                    best[name] = figure
    for name, figure in ours.items():
        rival = {"name": "ONNX Runtime", "value": theirs[name]["value"]}
        if "--json" in sys.argv[1:]:
            print(json.dumps({**figure, "rival": rival}))
        else:
            print(
                f"{name:<28} {figure['value']:>10,.0f} {figure['unit']}   {rival['name']} {rival['value']:>10,.0f}"
                f"   {figure['value'] / rival['value']:.2f} ×"
            )


if __name__ == "__main__":
    main()
