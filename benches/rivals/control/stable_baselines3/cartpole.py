"""PPO of Stable-Baselines3 on CartPole-v1. Prints one JSON line per result. `cartpole.py [seconds] [our-batch]`.

- `ppo`: environment steps per second of training, with two hidden layers of 64 tanh units and 4 epochs as in Vivarium.
  By default with batch sizes that are common for Stable-Baselines3 (8 environments, 256 steps, minibatch 256); with
  `our-batch` with the batch sizes of Vivarium's preset (128 environments, 64 steps, minibatch 1024), and only this
  benchmark.
- `seconds_to_475`: training time with the hyperparameters of rl-zoo3 until the greedy policy's mean return over 100
  episodes is 475. Evaluation time is excluded. The result is the median over three seeds.
"""

import json
import os
import statistics
import sys
import time

from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

EVALUATION_INTERVAL = 5_000


def report(name, value, unit):
    figure = {"name": f"control/cartpole/{name}/all", "value": value, "unit": unit, "threads": os.cpu_count()}
    print(json.dumps(figure), flush=True)


def steps_per_second(seconds, num_envs, horizon, minibatch):
    environments = make_vec_env("CartPole-v1", num_envs)
    model = PPO("MlpPolicy", environments, n_steps=horizon, batch_size=minibatch, n_epochs=4, device="cpu")
    model.learn(num_envs * horizon)
    before, start = model.num_timesteps, time.perf_counter()
    while time.perf_counter() - start < seconds:
        model.learn(num_envs * horizon, reset_num_timesteps=False)
    return (model.num_timesteps - before) / (time.perf_counter() - start)


def seconds_to_475(seed):
    tuned = dict(n_steps=32, batch_size=256, gae_lambda=0.8, gamma=0.98, n_epochs=20, ent_coef=0.0)
    # rl-zoo3 decays learning rate and clip range linearly to 0 over 100,000 steps.
    schedules = dict(learning_rate=lambda left: 1e-3 * left, clip_range=lambda left: 0.2 * left)
    model = PPO("MlpPolicy", make_vec_env("CartPole-v1", 8, seed=seed), seed=seed, device="cpu", **tuned, **schedules)
    evaluated = make_vec_env("CartPole-v1", 8, seed=seed + 1000)

    spent = 0.0
    clock = time.perf_counter()
    state = {"next": EVALUATION_INTERVAL, "solved": None}

    def evaluate(values, _):
        nonlocal spent, clock
        agent = values["self"]
        if agent.num_timesteps < state["next"]:
            return True
        state["next"] += EVALUATION_INTERVAL
        spent += time.perf_counter() - clock
        mean, _ = evaluate_policy(agent, evaluated, n_eval_episodes=100, deterministic=True)
        clock = time.perf_counter()
        if mean >= 475:
            state["solved"] = spent
        return state["solved"] is None

    model.learn(100_000, callback=evaluate)
    return state["solved"]


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    if "our-batch" in sys.argv[2:]:
        report("ppo", steps_per_second(seconds, num_envs=128, horizon=64, minibatch=1024), "steps/s")
        return
    report("ppo", steps_per_second(seconds, num_envs=8, horizon=256, minibatch=256), "steps/s")
    solved = [took for seed in (1, 2, 3) if (took := seconds_to_475(seed)) is not None]
    if solved:
        report("seconds_to_475", statistics.median(solved), "s")


if __name__ == "__main__":
    main()
