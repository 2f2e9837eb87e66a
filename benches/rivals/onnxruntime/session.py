"""Sessions and timing of ONNX Runtime, shared by the scripts of this folder."""

import time

import numpy as np
import onnxruntime as ort


def one_thread(model):
    """Returns a fully optimized, single-threaded session for a file or its bytes."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def seconds_of_a_run(session, x, name, widths, seconds):
    """Returns the duration of a run in seconds: the minimum over short repetitions, with inputs and outputs bound in advance.
    `widths` maps output names to widths."""
    binding = session.io_binding()
    binding.bind_ortvalue_input(name, ort.OrtValue.ortvalue_from_numpy(x))
    for output, width in widths.items():
        room = ort.OrtValue.ortvalue_from_numpy(np.empty((len(x), width), dtype=np.float32))
        binding.bind_ortvalue_output(output, room)
    calls, best = 4, float("inf")
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(calls):
            session.run_with_iobinding(binding)
        best = min(best, (time.perf_counter() - start) / calls)
    return best
