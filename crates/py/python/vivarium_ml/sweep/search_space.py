"""Search spaces: the config fields that a study varies, with their ranges and scales."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from vivarium_ml.catalog import ConfigField, config_fields

# Ranges of the default search spaces. Each config field defines its scale and type.
_DEFAULT_RANGES: dict[str, tuple[float, float]] = {
    "ppo.learning_rate": (1e-4, 1e-2),
    "ppo.epochs": (1, 12),
    "ppo.discount": (0.9, 0.999),
    "ppo.gae_lambda": (0.8, 1),
    "ppo.clip_range": (0.05, 0.5),
    "ppo.entropy_coefficient": (0, 0.05),
    "ppo.value_coefficient": (0.1, 1),
    "dqn.learning_rate": (1e-4, 1e-2),
    "dqn.discount": (0.9, 0.999),
    "dqn.n_step": (1, 5),
    "dqn.replay_ratio": (0.5, 16),
    "dqn.final_epsilon": (0, 0.2),
    "dqn.priority_exponent": (0, 1),
    "dqn.target_every": (25, 2500),
}
# Factor between the default value of a field with a logarithmic scale and the ends of its range.
_LOGARITHMIC_FACTOR = 10
_NUMBERS = ("number", "integer")


@dataclass(frozen=True)
class Dimension:
    """Config field that a study varies.

    Attributes:
        name: path of the field, such as `ppo.learning_rate`.
        low: lower end of the range; `None` for a choice.
        high: upper end of the range; `None` for a choice.
        is_logarithmic: whether the logarithm of the value is sampled uniformly.
        is_integer: whether the value is a whole number.
        choices: values of a choice; empty for a range.
    """

    name: str
    low: float | None = None
    high: float | None = None
    is_logarithmic: bool = False
    is_integer: bool = False
    choices: tuple[Any, ...] = ()

    def suggest(self, trial: Any) -> Any:
        """Returns the value of the field in a trial of Optuna."""
        if self.choices:
            # Optuna has no lists as choices.
            return json.loads(trial.suggest_categorical(self.name, [json.dumps(choice) for choice in self.choices]))
        suggest = trial.suggest_int if self.is_integer else trial.suggest_float
        return self.value_of(suggest(self.name, self.low, self.high, log=self.is_logarithmic))

    def value_of(self, parameter: Any) -> Any:
        """Returns the value of the field for a parameter of Optuna: a number has four digits, for short links."""
        if self.choices:
            return json.loads(parameter)
        if self.is_integer:
            return int(parameter)
        assert self.low is not None and self.high is not None
        return min(max(float(f"{parameter:.4g}"), self.low), self.high)

    def __str__(self) -> str:
        if self.choices:
            return f"{self.name}={'|'.join(map(_text, self.choices))}"
        return f"{self.name}={_text(self.low)}:{_text(self.high)}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def default_space(name: str, learner: str | None = None) -> list[Dimension]:
    """Returns the default search space of the experiment `name`, for PPO and DQN.

    Args:
        name: experiment.
        learner: `ppo` or `dqn`, where the experiment has the choice; the default is the experiment's.

    Raises:
        ValueError: for an experiment without a default search space.
    """
    fields = {field.name: field for field in config_fields(name)}
    if "learner" in fields:
        sections = [learner or fields["learner"].default]
    else:
        sections = ["ppo", "dqn"]
    ranges = {path: ends for path, ends in _DEFAULT_RANGES.items() if path in fields and path.split(".")[0] in sections}
    if not ranges:
        raise ValueError(f"fields is None; {name} has no default search space; select config fields, such as {_example(fields)}")
    return [_range(fields[path], low, high) for path, (low, high) in ranges.items()]


def _example(fields: dict[str, ConfigField]) -> str:
    return next((name for name in fields if name.endswith("learning_rate")), next(iter(fields)))


def search_space(name: str, fields: Iterable[str]) -> list[Dimension]:
    """Returns the search space of some config fields of the experiment `name`.

    Args:
        name: experiment.
        fields: paths of config fields, each alone (`ppo.learning_rate`), with a range (`ppo.learning_rate=1e-4:1e-2`), or with
            values (`ppo.hidden=[32]|[64,64]`). Without a range, a field has the range of the default search space; else,
            on a logarithmic scale a tenth to ten times the default value, and on a linear scale all allowed values.

    Raises:
        ValueError: for an unknown field, a field that is given twice, or a range that is not allowed.
    """
    known = {field.name: field for field in config_fields(name)}
    space: dict[str, Dimension] = {}
    for text in fields:
        path, has_values, values = text.partition("=")
        if path not in known:
            raise ValueError(f"fields has {path!r}, which is not a config field of {name}; config_fields({name!r}) lists them")
        if path in space:
            raise ValueError(f"fields has {path!r} twice; allowed is once")
        space[path] = _parse(known[path], values) if has_values else _of_field(known[path])
    if not space:
        raise ValueError("fields is empty; select at least one config field")
    return list(space.values())


def _of_field(field: ConfigField) -> Dimension:
    """Returns the search space of a field without a given range."""
    kind = field.kind
    if field.name in _DEFAULT_RANGES:
        return _range(field, *_DEFAULT_RANGES[field.name])
    if kind["type"] == "flag":
        return Dimension(field.name, choices=(False, True))
    if kind["type"] == "choice":
        return Dimension(field.name, choices=tuple(kind["options"]))
    if kind["type"] not in _NUMBERS:
        raise ValueError(f"fields has {field.name!r} without values; give some, such as {field.name}={_text(field.default)}|…")
    if kind["logarithmic"] and field.default > 0:
        return _range(field, field.default / _LOGARITHMIC_FACTOR, field.default * _LOGARITHMIC_FACTOR)
    return _range(field, kind["low"], kind["high"])


def _range(field: ConfigField, low: float, high: float) -> Dimension:
    """Returns the range from `low` to `high` of a number, within the allowed values."""
    low, high = max(low, field.kind["low"]), min(high, field.kind["high"])
    is_integer = field.kind["type"] == "integer"
    if is_integer:
        low, high = round(low), round(high)
    return Dimension(field.name, low, high, is_logarithmic=field.kind["logarithmic"] and low > 0, is_integer=is_integer)


def _parse(field: ConfigField, values: str) -> Dimension:
    """Returns the search space of a field with a range `low:high` or choices `a|b`."""
    kind, given = field.kind, f"{field.name}={values}"
    if ":" not in values or kind["type"] not in _NUMBERS:
        return Dimension(field.name, choices=tuple(_parse_value(text) for text in values.split("|")))
    try:
        low, high = (float(text) for text in values.split(":"))
    except ValueError:
        raise ValueError(f"fields has {given!r}; expected a range low:high of numbers, or values a|b") from None
    if not kind["low"] <= low < high <= kind["high"]:
        raise ValueError(f"fields has {given!r}; allowed is a range within {_text(kind['low'])}:{_text(kind['high'])}")
    return _range(field, low, high)


def _parse_value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
