"""Connect Four and backgammon as environments of PettingZoo (agent environment cycle). Needs the extra `games`:
`pip install ".[games]"`.

>>> from vivarium_ml.envs import pettingzoo
>>> env = pettingzoo.connect_four()
>>> env.reset(seed=1)
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from vivarium_ml.envs.board_games import BoardGameEnv

try:
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped, unused-ignore]
    from pettingzoo.utils.env import AECEnv  # type: ignore[import-untyped, unused-ignore]
except ImportError:
    raise ImportError(
        "vivarium_ml.envs.pettingzoo needs PettingZoo, which cannot be imported; install it with "
        "pip install 'pettingzoo>=1.27'"
    )

__all__ = ["BoardGameAECEnv", "backgammon", "connect_four"]

AGENTS = ("player_0", "player_1")
"""Names of the two agents of a game."""


class BoardGameAECEnv(AECEnv[str, dict[str, NDArray[Any]], int]):  # type: ignore[misc, unused-ignore]
    """Game of Connect Four or backgammon for two agents, `player_0` and `player_1`, without PettingZoo's wrappers.

    An observation is a dictionary: `observation`, the game from the view of the agent, as `BoardGameVectorEnv` describes
    it, and `action_mask`, `int8` of shape `(actions,)`, which is 0 for the agent that is not to move. At the end of the
    game, the winner gets the points of the win as reward, and the other agent the negated points. In backgammon, the
    same agent may act twice in succession: the two halves of a double.

    Args:
        task: `ConnectFour-v0` or `Backgammon-v0`.
        render_mode: `None`, or `"rgb_array"`, with which `render()` returns a picture.

    Raises:
        ValueError: for an unknown task or render mode.
    """

    def __init__(self, task: str, render_mode: str | None = None) -> None:
        super().__init__()
        self._game = BoardGameEnv(task, render_mode=render_mode)
        self.render_mode = render_mode
        self.metadata = {
            "name": self._game.task.name,
            "render_modes": ["rgb_array"],
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        num_actions = self._game.task.num_actions
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": self._game.observation_space,
                    "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(num_actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Returns the observation space of `agent`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the action space of `agent`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game.

        Args:
            seed: seed of all later random numbers, from 0 to 2⁶⁴ − 1. `None` (default) continues the current random
                sequence; the first reset draws a random seed.
            options: ignored, as PettingZoo's environments do.

        Raises:
            ValueError: for a negative seed.
            TypeError: for a seed that is not an integer.
        """
        _, info = self._game.reset(seed=seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._set_info(info)

    def step(self, action: int | None) -> None:  # type: ignore[override, unused-ignore]
        """Acts for the agent to move. After the end of the game the action must be `None`.

        Raises:
            ValueError: for an action that is illegal or not in the action space.
            TypeError: for an action that is not an integer.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type, unused-ignore]
            return
        _, reward, terminated, _, info = self._game.step(action)
        self._cumulative_rewards[agent] = 0.0
        opponent = AGENTS[1 - AGENTS.index(agent)]
        self.rewards = {agent: reward, opponent: 0.0 - reward}
        self.terminations = dict.fromkeys(AGENTS, terminated)
        self._set_info(info)
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Returns the observation of `agent`."""
        mask = self._action_mask if agent == self.agent_selection else np.zeros_like(self._action_mask)
        return {"observation": self._game.observe(AGENTS.index(agent)), "action_mask": mask.copy()}

    def render(self) -> NDArray[np.uint8] | None:
        """Returns a picture, `uint8` of shape `(height, width, 3)`, or `None` without `render_mode="rgb_array"`."""
        picture: NDArray[np.uint8] | None = self._game.render()
        return picture

    def close(self) -> None:
        """Closes the environment."""
        self._game.close()

    def _set_info(self, info: dict[str, Any]) -> None:
        """Stores the agent to move and the mask of its legal actions, from the info dictionary of the environment."""
        self.agent_selection = AGENTS[info["player"]]
        self._action_mask = info["action_mask"]


def connect_four(render_mode: str | None = None) -> AECEnv[str, dict[str, NDArray[Any]], int]:
    """Returns Connect Four with PettingZoo's usual wrappers: an illegal action ends the game with the reward −1."""
    return _wrapped(BoardGameAECEnv("ConnectFour-v0", render_mode))


def backgammon(render_mode: str | None = None) -> AECEnv[str, dict[str, NDArray[Any]], int]:
    """Returns backgammon with PettingZoo's usual wrappers: an illegal action ends the game with the reward −3."""
    return _wrapped(BoardGameAECEnv("Backgammon-v0", render_mode))


def _wrapped(env: BoardGameAECEnv) -> AECEnv[str, dict[str, NDArray[Any]], int]:
    largest = env._game.task.largest_reward
    wrapped = wrappers.TerminateIllegalWrapper(env, illegal_reward=-largest)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
