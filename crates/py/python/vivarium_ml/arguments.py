"""Checks of arguments, with errors that name the argument, its value and the allowed values."""

import operator
import os
from collections.abc import Mapping
from typing import Any, TypeVar

from gymnasium.vector import AutoresetMode

MAX_SEED = 2**64 - 1
MAX_EPISODE_STEPS = 2**31 - 1

_T = TypeVar("_T")


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """Returns `value` as an `int`.

    Raises:
        TypeError: if `value` is not an integer.
        ValueError: if `value` is not between `low` and `high`.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name} is {value!r} ({type(value).__name__}); expected a whole number from {low} to {high}"
        ) from None
    if not low <= number <= high:
        raise ValueError(f"{name} is {number}; allowed is a whole number from {low} to {high}")
    return number


def checked_fields(name: str, value: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns the dictionary of config fields `value`; an empty one for `None`.

    Raises:
        TypeError: if `value` is neither a mapping nor `None`.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} is {value!r} ({type(value).__name__}); expected a dictionary")
    return dict(value)


def checked_seed(seed: Any) -> int | None:
    """Returns the seed of a reset as an `int`, or `None`.

    Raises:
        TypeError: if the seed is not an integer.
        ValueError: if the seed is negative or does not fit 64 bits.
    """
    return None if seed is None else whole_number("seed", seed, 0, MAX_SEED)


def checked_options(options: Any, allowed: tuple[str, ...]) -> dict[str, Any]:
    """Returns the options of a reset.

    Raises:
        TypeError: if `options` is neither a dictionary nor `None`.
        ValueError: for an unknown option.
    """
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise TypeError(f"options is {options!r} ({type(options).__name__}); expected a dictionary or None")
    for name in options:
        if name not in allowed:
            names = ", ".join(allowed) if allowed else "no option"
            raise ValueError(f"options has the key {name!r}; allowed is {names}")
    return options


def checked_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Returns the autoreset mode of a vector environment.

    Raises:
        ValueError: for an unknown mode.
    """
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = ", ".join(mode.value for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode is {mode!r}; allowed is one of {allowed}") from None


def checked_step_limit(max_episode_steps: Any) -> int | None:
    """Returns the time limit of episodes in steps, or `None`.

    Raises:
        TypeError: if the limit is not an integer.
        ValueError: if the limit is not between 1 and 2³¹ − 1.
    """
    if max_episode_steps is None:
        return None
    return whole_number("max_episode_steps", max_episode_steps, 1, MAX_EPISODE_STEPS)


def find_task(name: str, tasks: dict[str, _T]) -> _T:
    """Returns the task `name`, such as `CartPole-v1`, of the table `tasks`.

    Raises:
        ValueError: for an unknown name.
    """
    task = tasks.get(name)
    if task is None:
        raise ValueError(f"there is no task {name!r}; allowed is one of {', '.join(tasks)}")
    return task


def checked_render_mode(render_mode: str | None) -> str | None:
    """Returns the render mode.

    Raises:
        ValueError: for a mode other than `rgb_array`.
    """
    if render_mode not in (None, "rgb_array"):
        raise ValueError(f"render_mode is {render_mode!r}; allowed is None or 'rgb_array'")
    return render_mode


def default_num_threads(num_envs: int, envs_per_thread: int) -> int:
    """Returns the default number of threads that step `num_envs` environments: one per `envs_per_thread` environments,
    at least 1, at most one per CPU that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        cpus = len(os.sched_getaffinity(0))
    else:
        cpus = os.cpu_count() or 1
    return max(1, min(cpus, num_envs // envs_per_thread))
