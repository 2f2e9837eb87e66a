//! Table of the games and puzzles.

use super::backgammon::DicedGame;
use super::batch::{AnyGameBatch, BatchOptions, GameBatch};
use super::cubes::ScrambledCube;
use super::rules::{GameRules, GameSettings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_envs::cube::{Cube2, Cube3};

/// Row of the table of games: name, constants, and constructor of a batch.
pub(crate) struct GameRow {
    pub(crate) name: &'static str,
    pub(crate) actions: usize,
    pub(crate) players: u8,
    pub(crate) step_limit: Option<u32>,
    pub(crate) scramble_length: Option<u32>,
    largest_reward: f32,
    action_names: fn() -> Vec<String>,
    pub(crate) observation_space: fn(&GameSettings) -> (Vec<usize>, u8),
    /// Creates a batch of games with the given seed.
    pub(crate) batch: fn(BatchOptions, GameSettings, u64) -> Box<dyn AnyGameBatch>,
}

impl GameRow {
    const fn of<G: GameRules>() -> Self {
        Self {
            name: G::NAME,
            actions: G::ACTIONS,
            players: G::PLAYERS,
            step_limit: G::STEP_LIMIT,
            scramble_length: G::SCRAMBLE_LENGTH,
            largest_reward: G::LARGEST_REWARD,
            action_names: G::action_names,
            observation_space: G::observation_space,
            batch: |options, settings, seed| Box::new(GameBatch::<G>::new(options, settings, seed)),
        }
    }
}

static ROWS: [GameRow; 4] = [
    GameRow::of::<ScrambledCube<Cube2>>(),
    GameRow::of::<ScrambledCube<Cube3>>(),
    GameRow::of::<ConnectFour>(),
    GameRow::of::<DicedGame>(),
];

/// Returns the game `name`, such as `connect-four`.
///
/// # Errors
/// `ValueError` for an unknown name.
pub(crate) fn find_game(name: &str) -> PyResult<&'static GameRow> {
    ROWS.iter().find(|row| row.name == name).ok_or_else(|| {
        let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        PyValueError::new_err(format!("there is no game {name:?}; allowed is one of {}", names.join(", ")))
    })
}

/// Returns the descriptions of all games, each as a dictionary: `name`, `actions` (the number of actions), `players`,
/// `step_limit` and `scramble_length` (each `None` if the game has none), `largest_reward`, and `action_names` (empty
/// if the actions have no names).
#[pyfunction]
pub(crate) fn game_infos(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let info = |row: &GameRow| {
        let info = PyDict::new(py);
        info.set_item("name", row.name)?;
        info.set_item("actions", row.actions)?;
        info.set_item("players", row.players)?;
        info.set_item("step_limit", row.step_limit)?;
        info.set_item("scramble_length", row.scramble_length)?;
        info.set_item("largest_reward", row.largest_reward)?;
        info.set_item("action_names", (row.action_names)())?;
        Ok(info)
    };
    ROWS.iter().map(info).collect()
}
