"""Steps per second of vector environments, called from Python: `steps.py PROGRAM [seconds]`. Prints one JSON line per result.

Only calls of `step` are timed. Each call returns observations, rewards and flags as arrays that Python can read at once;
JAX's calls are compiled and waited for. Actions are NumPy arrays that exist before the call: random numbers for CartPole,
random legal actions for games. Finished episodes are reset by the environments. A step of backgammon is the play of both
dice in vivarium_ml (of half a double), and the play of one die in pgx.
"""

import json
import os
import sys
import time
from functools import partial

os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np

SIZES = (64, 1024, 16_384)
CALLS = 32
CARTPOLE, CONNECT_FOUR, BACKGAMMON = "cartpole", "connect-four", "backgammon"


def vivarium(name, count):
    import gymnasium
    import vivarium_ml  # noqa: F401

    envs = gymnasium.make_vec(f"vivarium_ml/{name}", num_envs=count, copy=False)
    infos = envs.reset(seed=1)[1]

    def step(actions):
        nonlocal infos
        infos = envs.step(actions)[-1]

    return step, (lambda: infos["action_mask"]) if "action_mask" in infos else None


def gymnasium_cartpole(count):
    import gymnasium

    envs = gymnasium.make_vec("CartPole-v1", num_envs=count, vectorization_mode="sync")
    envs.reset(seed=1)
    return envs.step, None


def envpool_cartpole(count):
    import envpool

    envs = envpool.make("CartPole-v1", env_type="gymnasium", num_envs=count, num_threads=os.cpu_count())
    envs.reset()
    return envs.step, None


def gymnax_cartpole(count):
    import gymnax
    import jax

    env, params = gymnax.make("CartPole-v1")
    all_steps = jax.vmap(env.step, in_axes=(0, 0, 0, None))

    @jax.jit
    def compiled(key, state, actions):
        key, used = jax.random.split(key)
        return key, all_steps(jax.random.split(used, count), state, actions, params)

    key = jax.random.key(1)
    _, state = jax.vmap(env.reset, in_axes=(0, None))(jax.random.split(key, count), params)

    def step(actions):
        nonlocal key, state
        key, (observations, state, *outputs, _) = compiled(key, state, actions)
        return jax.block_until_ready((observations, outputs))

    return step, None


def pgx_game(name, count):
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    one_step = auto_reset(env.step, env.init)

    @jax.jit
    def compiled(key, state, actions):
        key, used = jax.random.split(key)
        return key, jax.vmap(one_step)(state, actions, jax.random.split(used, count))

    key = jax.random.key(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, count))

    def step(actions):
        nonlocal key, state
        key, state = compiled(key, state, actions)
        jax.block_until_ready(state.observation)

    return step, lambda: np.asarray(state.legal_action_mask)


PROGRAMS = {
    "vivarium": {
        CARTPOLE: partial(vivarium, "CartPole-v1"),
        CONNECT_FOUR: partial(vivarium, "ConnectFour-v0"),
        BACKGAMMON: partial(vivarium, "Backgammon-v0"),
    },
    "gymnasium": {CARTPOLE: gymnasium_cartpole},
    "envpool": {CARTPOLE: envpool_cartpole},
    "gymnax": {CARTPOLE: gymnax_cartpole},
    "pgx": {
        CONNECT_FOUR: partial(pgx_game, "connect_four"),
        BACKGAMMON: partial(pgx_game, "backgammon"),
    },
}


# The only type of actions that EnvPool accepts.
ACTION_TYPES = {"envpool": np.int32}


def random_actions(mask, count, rng, dtype):
    """Returns a random action of each environment, `[count]`: a legal one if `mask` `[count, actions]` is given."""
    if mask is None:
        return rng.integers(0, 2, count, dtype)
    # From 0 (exclusive) to 1, so that a legal action never equals the illegal ones.
    return np.argmax((1 - rng.random(mask.shape, dtype=np.float32)) * mask, axis=1).astype(dtype)


def seconds_per_call(step, next_actions, seconds):
    """Returns the lowest mean duration of a call of `step`, over groups of `CALLS` calls, in seconds."""
    best = float("inf")
    end = time.perf_counter() + seconds
    while best == float("inf") or time.perf_counter() < end:
        total = 0.0
        for _ in range(CALLS):
            actions = next_actions()
            start = time.perf_counter()
            step(actions)
            total += time.perf_counter() - start
        best = min(best, total / CALLS)
    return best


def main():
    program = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 2.0
    dtype = ACTION_TYPES.get(program, np.int64)
    for name, create in PROGRAMS[program].items():
        for count in SIZES:
            step, legal_actions = create(count)
            rng = np.random.default_rng(1)

            def next_actions():
                return random_actions(legal_actions and legal_actions(), count, rng, dtype)

            step(next_actions())  # The first call compiles.
            value = count / seconds_per_call(step, next_actions, seconds)
            figure = {"name": f"python/{name}/{count}", "value": value, "unit": "steps/s", "threads": os.cpu_count()}
            print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
