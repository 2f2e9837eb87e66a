"""Metrics of a run in Weights & Biases or TensorBoard.

python experiment_trackers.py wandb            # pip install wandb; offline: WANDB_MODE=offline
python experiment_trackers.py tensorboard      # pip install tensorboardX; then tensorboard --logdir logs
vivarium train cartpole --json | python experiment_trackers.py wandb-json
"""

import json
import sys
from collections.abc import Iterable
from typing import Any

import vivarium_ml


def train_with_wandb(tracker: Any, run: vivarium_ml.Experiment, **limits: Any) -> None:
    """Trains `run` and logs its config and each metric row to `tracker`, the run that `wandb.init` returns."""
    tracker.config.update({"experiment": run.name, "seed": run.seed, **run.config})
    run.train(on_row=lambda row: tracker.log(row, step=row["steps"]), **limits)


def train_with_tensorboard(writer: Any, run: vivarium_ml.Experiment, **limits: Any) -> None:
    """Trains `run` and writes each metric to `writer`, a `SummaryWriter` of tensorboardX or `torch.utils.tensorboard`."""

    def write(row: dict[str, Any]) -> None:
        for name, value in row.items():
            if name == "notice":
                writer.add_text(name, value, row["steps"])
            elif name != "steps":
                writer.add_scalar(name, value, row["steps"])

    run.train(on_row=write, **limits)


def log_events(tracker: Any, lines: Iterable[str]) -> None:
    """Logs the output of `vivarium train --json` to `tracker`, the run that `wandb.init` returns."""
    for line in lines:
        event = json.loads(line)
        kind = event.pop("event")
        if kind == "start":
            tracker.config.update(event)
        elif kind == "metrics":
            tracker.log(event, step=event["steps"])
        elif kind == "end":
            tracker.summary.update(event)


def main(kind: str) -> None:
    if kind == "tensorboard":
        from tensorboardX import SummaryWriter

        with SummaryWriter("logs/cartpole") as writer:
            train_with_tensorboard(writer, vivarium_ml.Experiment("cartpole"), until="return>=475")
        return
    import wandb

    with wandb.init(project="vivarium") as tracker:
        if kind == "wandb-json":
            log_events(tracker, sys.stdin)
        else:
            train_with_wandb(tracker, vivarium_ml.Experiment("cartpole"), until="return>=475")


if __name__ == "__main__":
    main(sys.argv[1])
