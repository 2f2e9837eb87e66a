"""Search for hyperparameters with Optuna (Akiba et al., 2019, <https://arxiv.org/abs/1907.10902>).

>>> from vivarium_ml import sweep
>>> best = sweep.optimize("cartpole", trials=50, journal="cartpole.journal")
>>> print(best.link, best.command)

On the command line: `python -m vivarium_ml.sweep cartpole --trials 50`. Several processes with the same journal file share a
study, and a later process resumes it. The package Optuna is needed: `pip install "vivarium-ml[sweep]"`.
"""

from vivarium_ml.sweep.search_space import Dimension, default_space, search_space
from vivarium_ml.sweep.study import BestTrial, TrialReport, optimize

__all__ = ["BestTrial", "Dimension", "TrialReport", "default_space", "optimize", "search_space"]
