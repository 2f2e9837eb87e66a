"""Vivarium's environments for Python: fast vectorized classic control, cubes and board games for Gymnasium.

Importing the package registers its environments with Gymnasium:

>>> import gymnasium
>>> import vivarium_ml
>>> envs = gymnasium.make_vec("vivarium_ml/CartPole-v1", num_envs=4096)
"""

from vivarium_ml import envs

__all__ = ["envs"]
