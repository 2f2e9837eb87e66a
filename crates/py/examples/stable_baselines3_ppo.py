"""PPO of Stable-Baselines3 on CartPole, whose environments all step in native code.

    pip install ".[sb3]"
    python crates/py/examples/stable_baselines3_ppo.py

Prints the mean return of 100 episodes of the greedy policy, of which 475 or more solve CartPole-v1.
"""

import argparse
import time

import gymnasium
import torch
from gymnasium.vector import AutoresetMode
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy

from vivarium_ml.envs.stable_baselines3 import SB3VecEnv


def make(num_envs: int) -> SB3VecEnv:
    """Returns the environments as a `VecEnv`."""
    name = "vivarium_ml/CartPole-v1"
    return SB3VecEnv(gymnasium.make_vec(name, num_envs=num_envs, autoreset_mode=AutoresetMode.SAME_STEP))


def train(steps: int = 150_000, num_envs: int = 128, seed: int = 1) -> PPO:
    """Trains PPO. A rollout has 32 steps in each environment."""
    # The networks are too small for several threads.
    torch.set_num_threads(1)
    model = PPO(
        "MlpPolicy",
        make(num_envs),
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        learning_rate=lambda remaining: 2.5e-3 * (0.1 + 0.9 * remaining),
        gae_lambda=0.95,
        ent_coef=0.01,
        seed=seed,
        device="cpu",
    )
    return model.learn(steps)


def evaluate(model: PPO, episodes: int = 100) -> float:
    """Returns the mean return of the greedy policy."""
    envs = make(25)
    envs.seed(1000)
    mean, _ = evaluate_policy(model, envs, episodes, warn=False)
    return float(mean)


def main() -> None:
    """Trains and evaluates by the command line."""
    parser = argparse.ArgumentParser(description="PPO of Stable-Baselines3 on CartPole")
    parser.add_argument("--steps", type=int, default=150_000, help="environment steps")
    parser.add_argument("--num-envs", type=int, default=128)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    start = time.monotonic()
    model = train(args.steps, args.num_envs, args.seed)
    print(f"{model.num_timesteps:,} steps in {time.monotonic() - start:.1f} s")
    print(f"mean return of 100 episodes of the greedy policy: {evaluate(model):.1f}")


if __name__ == "__main__":
    main()
