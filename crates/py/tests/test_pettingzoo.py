"""Board games as environments of PettingZoo: its checks, rewards, views of both agents."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from vivarium_ml.envs import pettingzoo as games
from vivarium_ml.envs.pettingzoo import AGENTS, BoardGameAECEnv

CONSTRUCTORS = [games.connect_four, games.backgammon]
TASKS = ["ConnectFour-v0", "Backgammon-v0"]


# PettingZoo's check warns of dictionaries as observations and, in masks, of the agent that is not to move.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array", "ignore:.*all zeros.*")
@pytest.mark.parametrize("constructor", CONSTRUCTORS)
def test_pettingzoo_accepts_the_environment(constructor, capsys):
    api_test(constructor(), num_cycles=1000)
    api_test(constructor().unwrapped, num_cycles=300)
    seed_test(constructor, num_cycles=200)


def play(env, seed, rng):
    """Plays a random game. Returns the return of each agent and the observations before each action."""
    env.reset(seed=seed)
    returns = dict.fromkeys(AGENTS, 0.0)
    observations = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        assert not truncated
        if terminated:
            env.step(None)
            continue
        other = env.observe(AGENTS[1 - AGENTS.index(agent)])
        observations.append((observation["observation"], other["observation"]))
        assert observation in env.observation_space(agent) and not other["action_mask"].any()
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return returns, observations


@pytest.mark.parametrize("task", TASKS)
def test_the_returns_of_both_agents_sum_to_0(task):
    rng = np.random.default_rng(1)
    env = BoardGameAECEnv(task)
    winners = []
    for seed in range(20):
        returns, observations = play(env, seed, rng)
        assert env.agents == [] and sum(returns.values()) == 0
        assert abs(returns["player_0"]) <= env.unwrapped._game.task.largest_reward
        winners.append(np.sign(returns["player_0"]))
        for mine, theirs in observations:
            if task == "ConnectFour-v0":
                np.testing.assert_array_equal(mine, theirs[..., ::-1])
            else:
                np.testing.assert_array_equal(mine, np.concatenate([theirs[26:52], theirs[:26], theirs[52:]]))
    assert {-1, 1} <= set(winners)


def test_the_winner_gets_the_reward():
    env = games.connect_four()
    env.reset(seed=1)
    for column in (3, 0, 3, 1, 3, 2):
        env.step(column)
    assert env.agent_selection == "player_0"
    env.step(3)
    assert env.rewards == {"player_0": 1, "player_1": -1} and all(env.terminations.values())


@pytest.mark.parametrize(("constructor", "loss"), [(games.connect_four, -1), (games.backgammon, -3)])
def test_an_illegal_action_loses_with_the_wrappers_alone(constructor, loss):
    env = constructor()
    env.reset(seed=1)
    while env.last()[0]["action_mask"].all():
        env.step(0)
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    agent = env.agent_selection
    with pytest.raises(ValueError, match=f"the action {illegal} of environment 0 is illegal"):
        env.unwrapped.step(illegal)
    env.step(illegal)
    assert env.rewards[agent] == loss and all(env.terminations.values())


def test_pictures_and_closing():
    env = games.connect_four(render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().dtype == np.uint8 and env.render().shape[2] == 3
    assert BoardGameAECEnv("Backgammon-v0").metadata["name"] == "Backgammon-v0"
    env.close()
