"""PPO in PyTorch on the environments of `vivarium_ml`, in one file.

Proximal policy optimization of Schulman, Wolski, Dhariwal, Radford, Klimov, 2017, <https://arxiv.org/abs/1707.06347>, with
generalized advantage estimation of Schulman et al., 2016, <https://arxiv.org/abs/1506.02438>. The environments pass their
arrays to PyTorch without a copy.

    python crates/py/examples/pytorch_ppo.py --task CartPole-v1

Prints the mean return of the training episodes after every iteration and the mean return of 100 episodes of the greedy policy
at the end.
"""

import argparse
import time
from dataclasses import dataclass

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

import vivarium_ml  # noqa: F401  registers the environments


@dataclass
class Settings:
    """Hyperparameters."""

    task: str = "CartPole-v1"
    seed: int = 1
    steps: int = 150_000
    num_envs: int = 128
    horizon: int = 32
    epochs: int = 4
    minibatch: int = 512
    learning_rate: float = 2.5e-3
    discount: float = 0.99
    gae_lambda: float = 0.95
    clip_range: float = 0.2
    entropy_coefficient: float = 0.01
    value_coefficient: float = 0.5
    max_gradient_norm: float = 0.5


def layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """Returns a linear layer with orthogonal weights and zero biases."""
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Agent(nn.Module):
    """Policy network and value network, both with two hidden layers of 64 units."""

    def __init__(self, observation_len: int, num_actions: int) -> None:
        super().__init__()

        def network(outputs: int, gain: float) -> nn.Sequential:
            first, second = layer(observation_len, 64, 2**0.5), layer(64, 64, 2**0.5)
            return nn.Sequential(first, nn.Tanh(), second, nn.Tanh(), layer(64, outputs, gain))

        self.policy, self.value = network(num_actions, 0.01), network(1, 1.0)

    def distribution(self, observations: torch.Tensor) -> Categorical:
        """Returns the action distribution of observations [n, observation_len]."""
        return Categorical(logits=self.policy(observations))

    def values(self, observations: torch.Tensor) -> torch.Tensor:
        """Returns the value estimates [n]."""
        return self.value(observations).squeeze(-1)


def advantages_of(
    rewards: torch.Tensor, values: torch.Tensor, next_values: torch.Tensor, ended: torch.Tensor, settings: Settings
) -> torch.Tensor:
    """Returns the advantages [horizon, num_envs] by generalized advantage estimation.

    `next_values` are the values of the states after each step: 0 after a terminal state, and the value of the final
    observation after the time limit. `ended` is 1 if an episode ended in a step.
    """
    advantages = torch.zeros_like(rewards)
    following = torch.zeros(rewards.shape[1])
    for step in reversed(range(len(rewards))):
        error = rewards[step] + settings.discount * next_values[step] - values[step]
        following = error + settings.discount * settings.gae_lambda * (1 - ended[step]) * following
        advantages[step] = following
    return advantages


class Trainer:
    """Rollouts and updates.

    Attributes:
        returns: returns of the finished training episodes, oldest first.
        steps: number of environment steps.
    """

    def __init__(self, settings: Settings) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.envs = gymnasium.make_vec(
            f"vivarium_ml/{settings.task}", num_envs=settings.num_envs, autoreset_mode=AutoresetMode.SAME_STEP
        )
        observations, _ = self.envs.reset(seed=settings.seed)
        self.observations = torch.from_dlpack(observations)
        self.agent = Agent(observations.shape[1], int(self.envs.single_action_space.n))
        self.optimizer = torch.optim.Adam(self.agent.parameters(), settings.learning_rate, eps=1e-5)
        self.episode_returns = np.zeros(settings.num_envs)
        self.returns: list[float] = []
        self.steps = 0

    @torch.no_grad()
    def rollout(self) -> tuple[torch.Tensor, ...]:
        """Steps the environments `horizon` times. Returns observations, actions, log probabilities, advantages and value
        targets of all steps, each with `horizon · num_envs` rows."""
        settings, agent = self.settings, self.agent
        shape = (settings.horizon, settings.num_envs)
        observations = torch.zeros(*shape, self.observations.shape[1])
        actions = torch.zeros(shape, dtype=torch.int64)
        log_probabilities, rewards, values, final_values, ended = (torch.zeros(shape) for _ in range(5))
        for step in range(settings.horizon):
            observations[step] = self.observations
            distribution = agent.distribution(self.observations)
            actions[step] = distribution.sample()
            log_probabilities[step] = distribution.log_prob(actions[step])
            values[step] = agent.values(self.observations)
            next_observations, reward, terminated, truncated, infos = self.envs.step(actions[step].numpy())
            self.observations = torch.from_dlpack(next_observations)
            rewards[step] = torch.from_dlpack(reward)
            over = terminated | truncated
            ended[step] = torch.from_numpy(over)
            # The environments have begun their next episodes; after the time limit, bootstrap from the final observation.
            if (cut := truncated & ~terminated).any():
                final = torch.from_numpy(np.stack(infos["final_obs"][cut]))
                final_values[step, torch.from_numpy(cut)] = agent.values(final)
            self.episode_returns += reward
            self.returns.extend(self.episode_returns[over].tolist())
            self.episode_returns[over] = 0
        self.steps += settings.horizon * settings.num_envs
        next_values = torch.cat([values[1:], agent.values(self.observations)[None]])
        next_values = torch.where(ended.bool(), final_values, next_values)
        advantages = advantages_of(rewards, values, next_values, ended, settings)
        parts = (observations, actions, log_probabilities, advantages, advantages + values)
        return tuple(part.flatten(0, 1) for part in parts)

    def update(self, samples: tuple[torch.Tensor, ...]) -> None:
        """Takes `epochs` passes of gradient steps over the samples of a rollout."""
        settings, count = self.settings, len(samples[0])
        remaining = max(0.0, 1 - self.steps / settings.steps)
        self.optimizer.param_groups[0]["lr"] = settings.learning_rate * (0.1 + 0.9 * remaining)
        for _ in range(settings.epochs):
            for rows in torch.randperm(count).split(settings.minibatch):
                observations, actions, old, advantages, targets = (part[rows] for part in samples)
                advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
                distribution = self.agent.distribution(observations)
                ratio = (distribution.log_prob(actions) - old).exp()
                clipped = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
                policy_loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()
                value_loss = 0.5 * (self.agent.values(observations) - targets).pow(2).mean()
                entropy = distribution.entropy().mean()
                loss = policy_loss + settings.value_coefficient * value_loss - settings.entropy_coefficient * entropy
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), settings.max_gradient_norm)
                self.optimizer.step()


@torch.no_grad()
def evaluate(agent: Agent, task: str, episodes: int = 100, seed: int = 1000) -> float:
    """Returns the mean return of the first episode of the greedy policy in each of `episodes` environments."""
    envs = gymnasium.make_vec(f"vivarium_ml/{task}", num_envs=episodes)
    observations, _ = envs.reset(seed=seed)
    returns, running = np.zeros(episodes), np.ones(episodes, bool)
    while running.any():
        actions = agent.policy(torch.from_dlpack(observations)).argmax(-1).numpy()
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        returns += rewards * running
        running &= ~(terminated | truncated)
    return float(returns.mean())


def train(settings: Settings, *, quiet: bool = False) -> Agent:
    """Trains an agent."""
    # The networks are too small for several threads.
    torch.set_num_threads(1)
    trainer, start = Trainer(settings), time.monotonic()
    while trainer.steps < settings.steps:
        trainer.update(trainer.rollout())
        if not quiet and trainer.returns:
            seconds = time.monotonic() - start
            mean = np.mean(trainer.returns[-100:])
            print(f"{trainer.steps:>9,} steps  {seconds:5.1f} s  mean return {mean:.1f}", flush=True)
    return trainer.agent


def main() -> None:
    """Trains and evaluates by the command line."""
    parser = argparse.ArgumentParser(description="PPO in PyTorch on the environments of vivarium_ml")
    parser.add_argument("--task", default=Settings.task, help="environment with discrete actions and float observations")
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--steps", type=int, default=Settings.steps, help="environment steps")
    parser.add_argument("--num-envs", type=int, default=Settings.num_envs)
    settings = Settings(**vars(parser.parse_args()))
    agent = train(settings)
    print(f"mean return of 100 episodes of the greedy policy: {evaluate(agent, settings.task):.1f}")


if __name__ == "__main__":
    main()
