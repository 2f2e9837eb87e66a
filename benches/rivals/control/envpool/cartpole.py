"""EnvPool: steps per second of CartPole-v1 with random actions. Prints one JSON line. `cartpole.py [seconds]`."""

import json
import os
import sys
import time

import envpool
import numpy as np

ENVS = 1024
STEPS = 64


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    threads = os.cpu_count()
    pool = envpool.make("CartPole-v1", env_type="gymnasium", num_envs=ENVS, num_threads=threads)
    pool.reset()
    # Actions are sampled in advance, to exclude sampling from the measurement.
    actions = np.random.default_rng(1).integers(0, 2, (STEPS, ENVS), dtype=np.int32)
    best = float("inf")
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for row in actions:
            pool.step(row)
        best = min(best, time.perf_counter() - start)
    figure = {
        "name": "control/cartpole/raw/all",
        "value": STEPS * ENVS / best,
        "unit": "steps/s",
        "threads": threads,
    }
    print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
