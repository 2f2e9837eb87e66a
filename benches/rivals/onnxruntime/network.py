"""Forward pass of an ONNX file in ONNX Runtime on one thread: `network.py SECONDS FILE NAME`.

`vivarium bench backgammon/forward/ --onnx FILE` writes the file and a JSON file with the network's outputs for sample
states. The outputs of ONNX Runtime must agree with them. Prints one JSON line per batch size: {"name", "value", "unit",
"threads"}. Requires the packages of requirements.txt; `compare.py` installs them and prints the results of both
programs.
"""

import json
import sys
from pathlib import Path

import numpy as np

from session import one_thread, seconds_of_a_run

BATCHES = (64, 256)
# Tolerance relative to the largest output: both programs sum up to 731 products in f32, in different orders.
TOLERANCE = 1e-5


def main():
    seconds, path, name = float(sys.argv[1]), sys.argv[2], sys.argv[3]
    session = one_thread(path)
    [state] = session.get_inputs()
    widths = {output.name: output.shape[1] for output in session.get_outputs()}
    witness = json.loads(Path(path).with_suffix(".json").read_text())
    states = np.array(witness["states"], dtype=np.float32).reshape(-1, state.shape[1])
    for output, found in zip(widths, session.run(list(widths), {state.name: states})):
        wanted = np.array(witness[output], dtype=np.float32).reshape(found.shape)
        worst = float(np.max(np.abs(found - wanted)) / np.max(np.abs(wanted)))
        print(f"{name}: {output} of {len(states)} states differ by at most {worst:.1e} of the largest", file=sys.stderr)
        if not worst <= TOLERANCE:
            sys.exit(f"{output} may differ by {TOLERANCE:.0e}")
    for rows in BATCHES:
        figure = {
            "name": f"{name}/{rows}",
            "value": rows / seconds_of_a_run(session, states[:rows], state.name, widths, seconds),
            "unit": "states/s",
            "threads": 1,
        }
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
