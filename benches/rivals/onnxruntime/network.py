"""The forward pass of an ONNX file in ONNX Runtime, on one thread: `network.py SECONDS FILE NAME`.

`vivarium bench backgammon/forward --onnx FILE` writes the file. Prints one JSON line a batch size: {"name", "value",
"unit", "threads"}. Needs the packages of requirements.txt; `compare.py` sets them up and prints both programs' figures
side by side.
"""

import json
import sys

import numpy as np

from session import one_thread, seconds_of_a_run

BATCHES = (64, 256)


def main():
    seconds, path, name = float(sys.argv[1]), sys.argv[2], sys.argv[3]
    session = one_thread(path)
    [state] = session.get_inputs()
    for rows in BATCHES:
        # As sparse as encoded states are; a dense product takes as long whatever the numbers.
        x = (np.random.default_rng(1).uniform(size=(rows, state.shape[1])) < 0.08).astype(np.float32)
        widths = {output.name: output.shape[1] for output in session.get_outputs()}
        figure = {
            "name": f"{name}/{rows}",
            "value": rows / seconds_of_a_run(session, x, state.name, widths, seconds),
            "unit": "states/s",
            "threads": 1,
        }
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
