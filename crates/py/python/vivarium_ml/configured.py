"""Base class of the objects that are created from a config and a seed."""

from typing import Any, Generic, TypeVar

from vivarium_ml._core import NativeExperiment, NativeReplayLearner

# Class of the native object.
Native = TypeVar("Native", bound=NativeExperiment | NativeReplayLearner)


class Configured(Generic[Native]):
    """Seed and config of `vivarium_ml.Experiment` and of `vivarium_ml.alphazero.Learner`."""

    _native: Native

    @property
    def seed(self) -> int:
        """Seed of the random numbers."""
        return self._native.seed

    @property
    def config(self) -> dict[str, Any]:
        """The complete config that is in use at present."""
        return self._native.config
