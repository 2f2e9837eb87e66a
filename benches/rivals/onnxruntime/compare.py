#!/usr/bin/env python3
"""Compares Vivarium's forward pass with that of ONNX Runtime: `python3 benches/rivals/onnxruntime/compare.py`.

Creates a virtual environment with pinned packages, builds the release program and runs both programs alternately. The
best value of each program counts. `--json` prints one JSON line per result.
"""

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from side_by_side import compare, release_program  # noqa: E402

if __name__ == "__main__":
    program = release_program()
    compare(program, ["graph/residual_mlp"], "ONNX Runtime", HERE / "residual_mlp.py", rounds=5, seconds=1)
    with tempfile.TemporaryDirectory() as folder:
        for game in ("backgammon", "connect-four"):
            figures, network = f"{game}/forward", str(Path(folder) / f"{game}.onnx")
            # Vivarium exports the network that ONNX Runtime runs. The slash excludes the benchmark `forward_share`.
            selection, options = [f"{figures}/", "--onnx", network], [network, figures]
            compare(program, selection, "ONNX Runtime", HERE / "network.py", rounds=5, seconds=1, options=options)
