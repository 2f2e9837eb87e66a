"""Vivarium for Python: environments for Gymnasium, training runs, trained models.

Importing the package registers its environments with Gymnasium:

>>> import gymnasium
>>> import vivarium_ml
>>> envs = gymnasium.make_vec("vivarium_ml/CartPole-v1", num_envs=4096)

`train` trains an experiment, and `load` loads a trained model:

>>> experiment = vivarium_ml.train("cartpole", until="return>=475")
>>> policy = vivarium_ml.load(experiment.to_bytes())
"""

from importlib.metadata import version as _version

from vivarium_ml import alphazero, envs
from vivarium_ml._core import get_num_threads, set_num_threads
from vivarium_ml.catalog import ConfigField, ExperimentInfo, Preset, config_fields, experiments, presets
from vivarium_ml.experiment import Experiment, train
from vivarium_ml.models import Automaton, CircuitInfo, LanguageModel, Player, Policy, Solver, load

__version__ = _version("vivarium_ml")

__all__ = [
    "Automaton",
    "CircuitInfo",
    "ConfigField",
    "Experiment",
    "ExperimentInfo",
    "LanguageModel",
    "Player",
    "Policy",
    "Preset",
    "Solver",
    "alphazero",
    "config_fields",
    "envs",
    "experiments",
    "get_num_threads",
    "load",
    "presets",
    "set_num_threads",
    "train",
]
