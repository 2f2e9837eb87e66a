"""The experiments, with their config fields and presets."""

from dataclasses import dataclass
from typing import Any

from vivarium_ml._core import experiment_info, experiment_names


@dataclass(frozen=True)
class ExperimentInfo:
    """Description of an experiment.

    Attributes:
        name: name, such as `cartpole`.
        title: name for display, such as `CartPole`.
        family: group of experiments that share a kind of learner: `control`, `logic_ca`, `games`, `cube` or `language`.
        summary: task and difficulty in one or two sentences.
        unit: unit of training steps in the plural, such as `tokens`.
        metrics: unit and help of each metric by name, such as `return_mean`; the unit is empty for a pure number.
        measures: label of each measure of an evaluation by name, such as `return`.
    """

    name: str
    title: str
    family: str
    summary: str
    unit: str
    metrics: dict[str, tuple[str, str]]
    measures: dict[str, str]


@dataclass(frozen=True)
class ConfigField:
    """Description of a config field.

    Attributes:
        name: path, such as `ppo.learning_rate`.
        label: name for display.
        help: effect in one or two sentences.
        default: default value.
        allowed: type and range of the value, as a phrase.
        kind: type and range as a dictionary: `type` (`number`, `integer`, `flag`, `choice`, `integers`, `text`), `low`,
            `high` and `logarithmic` (the scale) of a number, `options` of a choice.
        unit: unit of the value; empty for a pure number.
        live: whether the field can change during a run.
    """

    name: str
    label: str
    help: str
    default: Any
    allowed: str
    kind: dict[str, Any]
    unit: str
    live: bool


@dataclass(frozen=True)
class Preset:
    """Named config: `config={"preset": name}`.

    Attributes:
        name: name, such as `moon`.
        label: name for display.
        help: description in one sentence.
        config: fields in which the preset differs from the defaults.
    """

    name: str
    label: str
    help: str
    config: dict[str, Any]


def experiments() -> list[ExperimentInfo]:
    """Returns the descriptions of all experiments."""
    return [_describe(experiment_info(name)) for name in experiment_names()]


def config_fields(name: str) -> list[ConfigField]:
    """Returns the config fields of the experiment `name`.

    Raises:
        ValueError: for an unknown experiment.
    """
    return [
        ConfigField(
            name=field["path"],
            label=field["label"],
            help=field["help"],
            default=field["default"],
            allowed=field["allowed"],
            kind=field["kind"],
            unit=field["unit"],
            live=field["live"],
        )
        for field in experiment_info(name)["fields"]
    ]


def presets(name: str) -> list[Preset]:
    """Returns the presets of the experiment `name`; the first one is the default.

    Raises:
        ValueError: for an unknown experiment.
    """
    return [Preset(**preset) for preset in experiment_info(name)["presets"]]


def _describe(info: dict[str, Any]) -> ExperimentInfo:
    return ExperimentInfo(
        name=info["name"],
        title=info["title"],
        family=info["family"],
        summary=info["summary"],
        unit=info["unit"],
        metrics={metric["name"]: (metric["unit"], metric["help"]) for metric in info["metrics"]},
        measures={measure["name"]: measure["label"] for measure in info["measures"]},
    )
