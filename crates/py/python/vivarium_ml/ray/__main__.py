"""`python -m vivarium_ml.ray`: trains on a cluster, and prints a line per generation."""

import argparse
import json
from typing import Any

from vivarium_ml.ray.training import Progress, train


def _field(text: str) -> tuple[str, Any]:
    name, separator, value = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"{text!r} has no '='; write FIELD=VALUE, such as network.width=64")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m vivarium_ml.ray", description="Trains AlphaZero on a Ray cluster.")
    parser.add_argument("game", choices=["backgammon", "connect-four"])
    parser.add_argument("--set", type=_field, action="append", default=[], metavar="FIELD=VALUE", help="config field")
    parser.add_argument("--workers", type=int, help="self-play workers (default: one per CPUs of a worker)")
    parser.add_argument("--cpus-per-worker", type=int, default=1, help="CPUs and threads of a worker (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the run (default: 1)")
    parser.add_argument("--minutes", type=float, help="time limit")
    parser.add_argument("--generations", type=int, help="limit of the number of generations, in total")
    parser.add_argument("--out", help="folder for the checkpoint and the metrics")
    parser.add_argument("--resume", action="store_true", help="continue the run in the folder --out, if there is one")
    parser.add_argument(
        "--max-staleness",
        type=int,
        default=2,
        help="age of weights in generations above which samples are dropped (default: 2)",
    )
    parser.add_argument("--batch-samples", type=int, help="samples per result of a worker")
    parser.add_argument("--address", help="address of a Ray cluster, such as auto (default: this machine)")
    return parser


def _show(progress: Progress) -> None:
    losses = "  ".join(
        f"{name.replace('_', ' ')} {progress.metrics[name]:.3f}" for name in ("policy_loss", "value_loss")
    )
    print(
        f"generation {progress.generations}  {progress.seconds:.0f} s  games {progress.games:,}  "
        f"samples {progress.samples:,}  {losses}  stale samples {progress.stale_samples:,}  "
        f"worker restarts {progress.worker_restarts}",
        flush=True,
    )


def main() -> None:
    """Runs the command."""
    parser = _parser()
    arguments = parser.parse_args()
    try:
        result = train(
            arguments.game,
            dict(arguments.set),
            workers=arguments.workers,
            cpus_per_worker=arguments.cpus_per_worker,
            seed=arguments.seed,
            minutes=arguments.minutes,
            generations=arguments.generations,
            out=arguments.out,
            resume=arguments.resume,
            max_staleness=arguments.max_staleness,
            batch_samples=arguments.batch_samples,
            address=arguments.address,
            report=_show,
        )
    except (ValueError, FileExistsError, ImportError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        parser.exit(130, "stopped; --resume continues the run in --out\n")
    progress = result.progress
    games = max(result.played_games, 1)
    print(
        f"{result.played_games:,} games in {progress.seconds:.1f} s: {60 * games / progress.seconds:,.0f} games/min, "
        f"{progress.received_bytes / games:,.0f} bytes/game, worker restarts {progress.worker_restarts}"
    )


if __name__ == "__main__":
    main()
