"""Products of square matrices in PyTorch on a CUDA device. Prints one JSON line per size. `gemm.py [seconds] [tf32]`.

Same products as `vivarium bench gpu/gemm`; `tf32` lets them use TF32 on tensor cores, which WebGPU cannot use.
"""

import json
import sys
import time

import torch

SIZES = (256, 1024, 4096)


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    torch.set_float32_matmul_precision("high" if "tf32" in sys.argv[2:] else "highest")
    for n in SIZES:
        x, w, y = (torch.rand(n, n, device="cuda") for _ in range(3))
        best, number, end = float("inf"), 0, time.perf_counter() + seconds
        while number < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            torch.matmul(x, w, out=y)
            torch.cuda.synchronize()
            best = min(best, time.perf_counter() - start)
            number += 1
        figure = {"name": f"gpu/gemm/{n}", "value": 2e-9 * n**3 / best, "unit": "GFLOP/s"}
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
