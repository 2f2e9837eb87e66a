"""Metrics that the page exports as CSV, read by pandas."""

from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")

FILE = Path(__file__).parents[3] / "tests/fixtures/metrics-of-runs.csv"


def test_columns_have_the_types_of_their_values():
    table = pandas.read_csv(FILE)
    assert list(table.columns[:4]) == ["run", "settings", "seed", "step"]
    types = pandas.api.types
    assert all(types.is_string_dtype(table[name]) for name in ("run", "settings"))
    assert all(types.is_integer_dtype(table[name]) for name in ("seed", "step"))
    assert all(types.is_float_dtype(table[name]) for name in table.columns[4:])
    assert set(table["run"]) == {"Gravity 3, seed 1", 'a "second" run'}


def test_steps_of_a_run_increase_and_missing_values_are_nan():
    table = pandas.read_csv(FILE)
    for _, run in table.groupby("run"):
        assert run["step"].is_monotonic_increasing and run["step"].is_unique
    first = table[table["seed"] == 1].set_index("step")
    assert list(first.index) == [8192, 16384]
    assert first["return_mean"].tolist() == [21.86071, -1.5e-7] and first.loc[8192, "eval_return"] == 475
    assert first["loss"].isna().tolist() == [True, False] and first["entropy"].isna().all()
