"""gymnax on JAX: steps per second of CartPole-v1 with random actions. Prints one JSON line. `cartpole.py [seconds] [gpu]`.

Runs on the CPU; with `gpu` on JAX's default device, with as many environments as `vivarium bench gpu/cartpole/raw`.
"""

import json
import os
import sys
import time

ON_GPU = "gpu" in sys.argv[2:]
if not ON_GPU:
    os.environ["JAX_PLATFORMS"] = "cpu"

import gymnax
import jax

ENVS, STEPS = (1 << 20, 128) if ON_GPU else (8192, 64)


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    env, params = gymnax.make("CartPole-v1")
    reset = jax.vmap(env.reset, in_axes=(0, None))
    step = jax.vmap(env.step, in_axes=(0, 0, 0, None))
    sample = jax.vmap(lambda key: env.action_space(params).sample(key))

    @jax.jit
    def run(carry):
        def body(carry, _):
            key, state = carry
            key, for_actions, for_steps = jax.random.split(key, 3)
            actions = sample(jax.random.split(for_actions, ENVS))
            result = step(jax.random.split(for_steps, ENVS), state, actions, params)
            return (key, result[1]), None

        return jax.lax.scan(body, carry, None, STEPS)[0]

    key = jax.random.key(1)
    carry = (key, reset(jax.random.split(key, ENVS), params)[1])
    carry = jax.block_until_ready(run(carry))  # The first call compiles.
    best = float("inf")
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        carry = jax.block_until_ready(run(carry))
        best = min(best, time.perf_counter() - start)
    figure = {"name": "gpu/cartpole/raw", "value": STEPS * ENVS / best, "unit": "steps/s"}
    if not ON_GPU:
        figure |= {"name": "control/cartpole/raw/all", "threads": os.cpu_count()}
    print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
