"""AlphaZero on a cluster with Ray (https://docs.ray.io): self-play on many cores or machines, one learner.

>>> from vivarium_ml.ray import train
>>> result = train("backgammon", workers=2, minutes=1, out="runs/backgammon")

The same on the command line: `python -m vivarium_ml.ray backgammon --workers 2 --minutes 1 --out runs/backgammon`.
`pip install "vivarium-ml[ray]"` installs Ray.
"""

from vivarium_ml.ray.training import Progress, TrainingResult, train

__all__ = ["Progress", "TrainingResult", "train"]
