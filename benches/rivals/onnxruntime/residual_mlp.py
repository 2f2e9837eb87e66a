"""The network of `vivarium bench graph/residual_mlp` in ONNX Runtime, on one thread.

Prints one JSON line per batch size: {"name", "value", "unit", "threads"}. Requires the packages of requirements.txt;
`compare.py` installs them and prints the results of both programs.
"""

import json
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from session import one_thread, seconds_of_a_run

INPUT, WIDTH, BLOCKS, LOGITS, VALUE_HIDDEN, VALUES = 344, 128, 3, 676, 192, 5


class Network:
    """Graph builder: each method appends a layer and returns the name of its output."""

    def __init__(self):
        self.nodes, self.weights = [], []
        self.random = np.random.default_rng(0)

    def weight(self, name, array):
        self.weights.append(numpy_helper.from_array(array.astype(np.float32), name))
        return name

    def node(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def linear(self, name, x, k, n):
        w = self.weight(f"{name}.weight", self.random.normal(size=(k, n)) / np.sqrt(k))
        b = self.weight(f"{name}.bias", self.random.normal(size=n) * 0.1)
        return self.node("Gemm", [x, w, b], name)

    def layer(self, name, x, k, n, skip=None):
        """Appends the layer relu(norm(x·W + b) + skip)."""
        h = self.linear(name, x, k, n)
        scale = self.weight(f"{name}.norm.weight", np.ones(n))
        shift = self.weight(f"{name}.norm.bias", np.zeros(n))
        h = self.node("LayerNormalization", [h, scale, shift], f"{name}.norm", axis=-1, epsilon=1e-5)
        if skip is not None:
            h = self.node("Add", [h, skip], f"{name}.sum")
        return self.node("Relu", [h], f"{name}.relu")


def residual_mlp():
    network = Network()
    h = network.layer("stem", "x", INPUT, WIDTH)
    for block in range(BLOCKS):
        middle = network.layer(f"block.{block}.0", h, WIDTH, WIDTH)
        h = network.layer(f"block.{block}.1", middle, WIDTH, WIDTH, skip=h)
    policy = network.linear("policy", h, WIDTH, LOGITS)
    hidden = network.node("Relu", [network.linear("value.hidden", h, WIDTH, VALUE_HIDDEN)], "value.hidden.relu")
    value = network.linear("value", hidden, VALUE_HIDDEN, VALUES)
    graph = helper.make_graph(
        network.nodes,
        "residual_mlp",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", INPUT])],
        [
            helper.make_tensor_value_info(policy, TensorProto.FLOAT, ["rows", LOGITS]),
            helper.make_tensor_value_info(value, TensorProto.FLOAT, ["rows", VALUES]),
        ],
        network.weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    return model, (policy, value)


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    model, outputs = residual_mlp()
    session = one_thread(model.SerializeToString())
    widths = dict(zip(outputs, (LOGITS, VALUES)))
    for rows in (64, 256):
        x = np.random.default_rng(1).uniform(size=(rows, INPUT)).astype(np.float32)
        figure = {
            "name": f"graph/residual_mlp/{rows}",
            "value": rows / seconds_of_a_run(session, x, "x", widths, seconds),
            "unit": "states/s",
            "threads": 1,
        }
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
