"""Trained models of checkpoints."""

import os
from pathlib import Path
from typing import Any

from vivarium_ml._core import checkpoint_header, experiment_info
from vivarium_ml.models.automaton import Automaton, CircuitInfo
from vivarium_ml.models.language import LanguageModel
from vivarium_ml.models.player import Player
from vivarium_ml.models.policy import Policy
from vivarium_ml.models.solver import Solver
from vivarium_ml.run_folder import best

__all__ = ["Automaton", "CircuitInfo", "LanguageModel", "Player", "Policy", "Solver", "load"]

_MODELS: dict[str, Any] = {
    "control": Policy,
    "games": Player,
    "cube": Solver,
    "language": LanguageModel,
    "logic_ca": Automaton,
}


def load(checkpoint: str | os.PathLike[str] | bytes) -> Policy | Player | Solver | LanguageModel | Automaton:
    """Loads the trained model of a checkpoint: the path of a file, or its contents; of a run folder, the best checkpoint, or
    the latest checkpoint if the run has not been evaluated.

    Returns:
        A `Policy`, `Player`, `Solver`, `LanguageModel` or `Automaton`, by the family of the experiment.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for a damaged or incompatible checkpoint.
    """
    contents = checkpoint if isinstance(checkpoint, bytes) else best(Path(checkpoint)).read_bytes()
    name, _ = checkpoint_header(contents)
    model: Policy | Player | Solver | LanguageModel | Automaton = _MODELS[experiment_info(name)["family"]](contents)
    return model
