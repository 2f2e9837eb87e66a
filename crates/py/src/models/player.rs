//! The class `NativePlayer`: a trained player of a board game.

use super::common::{OpenModel, PolicyAndValueArrays, open_model};
use crate::error::{detached, invalid, lab_exception};
use numpy::PyArray1;
use numpy::prelude::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, ForwardPass, SelfPlayGame};
use vivarium_agents::players::{Decision, NetworkPlayer, Player};
use vivarium_envs::backgammon::{Plays, Position, Roll, State, TurnPhase};
use vivarium_envs::connect_four::ConnectFour;
use vivarium_exhibit_games::read_playing_network;
use vivarium_lab::LabError;
use vivarium_lab::config::shorten;
use vivarium_mcts::{Game, GameStatus};

/// Maximum number of simulations of a search.
const MAX_SIMULATIONS: u32 = 1_000_000;

/// Board game with a text notation for positions and moves.
trait WrittenGame: SelfPlayGame {
    /// Parses a position in the game's notation. With `dice`, the player to move has to play this roll. Without `dice`,
    /// a backgammon player still has to roll.
    fn parse(position: &str, dice: Option<(u8, u8)>) -> Result<Self, String>;

    /// Returns the notation of the turn that leads from the state `before` to the state `after`.
    fn written_turn(before: &Self, after: &Self) -> String;
}

impl WrittenGame for State {
    fn parse(position: &str, dice: Option<(u8, u8)>) -> Result<Self, String> {
        let position = Position::from_id(position.trim()).map_err(|error| error.to_string())?;
        let state = Self { position, phase: TurnPhase::Roll, player: 0 };
        let Some((first, second)) = dice else { return Ok(state) };
        Ok(state.rolled(Roll::new(first, second).map_err(|error| error.to_string())?))
    }

    fn written_turn(before: &Self, after: &Self) -> String {
        let TurnPhase::Play(roll) = before.phase else { return String::new() };
        let mut plays = Plays::new();
        plays.generate(&before.position, roll);
        let made = plays.iter().find(|play| play.after == after.position.mirrored());
        made.map_or_else(String::new, |play| play.notation(&before.position))
    }
}

impl WrittenGame for ConnectFour {
    fn parse(position: &str, dice: Option<(u8, u8)>) -> Result<Self, String> {
        if dice.is_some() {
            return Err("Connect Four is played without dice".into());
        }
        Self::from_moves(position.trim()).map_err(|error| error.to_string())
    }

    fn written_turn(before: &Self, after: &Self) -> String {
        let of_turn = |column: &usize| before.is_open(*column) && Self::after(before, *column) == *after;
        (0..8).find(of_turn).map_or_else(String::new, |column| (column + 1).to_string())
    }
}

/// Network of one of the board games.
enum PlayingNetwork {
    Backgammon(Arc<AlphaZeroNetwork<State>>),
    ConnectFour(Arc<AlphaZeroNetwork<ConnectFour>>),
}

/// Calls a generic function with the network of the player's game.
macro_rules! with_network {
    ($player:expr, $network:ident => $work:expr) => {
        match &$player.network {
            PlayingNetwork::Backgammon($network) => $work,
            PlayingNetwork::ConnectFour($network) => $work,
        }
    };
}

/// Trained player of a board game: the native part of the Python class `vivarium_ml.Player`.
#[pyclass(module = "vivarium_ml._core", frozen)]
pub(crate) struct NativePlayer {
    network: PlayingNetwork,
}

#[pymethods]
impl NativePlayer {
    #[new]
    fn new(py: Python<'_>, checkpoint: &[u8]) -> PyResult<Self> {
        detached(py, || Self::open(checkpoint).map_err(lab_exception))
    }

    /// Returns the outcome probabilities of each position (`float32` `[n, outcomes]`) and its equity for the player to
    /// move (`float32` `[n]`). The equity is the result of a search with `simulations` simulations; with 0, both are
    /// outputs of the network.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<String>,
        simulations: u32,
    ) -> PyResult<PolicyAndValueArrays<'py>> {
        let (heads, equities) =
            with_network!(self, network => evaluate(py, network, &positions, simulations))?;
        let width = with_network!(self, network => num_heads(network));
        let heads = PyArray1::from_vec(py, heads).reshape([positions.len(), width])?;
        Ok((heads, PyArray1::from_vec(py, equities)))
    }

    /// Returns the best turn in each position, in the notation of the game. `dice` holds the roll of each position in
    /// backgammon; it is `None` in Connect Four. `seed` determines the choice between turns of equal value.
    #[pyo3(signature = (positions, dice, simulations, seed))]
    fn best_turns(
        &self,
        py: Python<'_>,
        positions: Vec<String>,
        dice: Option<Vec<(u8, u8)>>,
        simulations: u32,
        seed: u64,
    ) -> PyResult<Vec<String>> {
        with_network!(self, network => best_turns(py, network, &positions, dice.as_deref(), simulations, seed))
    }
}

impl NativePlayer {
    fn open(checkpoint: &[u8]) -> Result<Self, LabError> {
        let table: [(_, OpenModel<_>); 2] = [
            (State::NAME, |bytes| Ok(PlayingNetwork::Backgammon(Arc::new(read_playing_network(bytes)?.1)))),
            (ConnectFour::NAME, |bytes| {
                Ok(PlayingNetwork::ConnectFour(Arc::new(read_playing_network(bytes)?.1)))
            }),
        ];
        Ok(Self { network: open_model(checkpoint, &table)? })
    }
}

fn num_heads<G: SelfPlayGame>(_: &AlphaZeroNetwork<G>) -> usize {
    G::HEADS
}

fn player<G: SelfPlayGame>(
    network: &Arc<AlphaZeroNetwork<G>>,
    simulations: u32,
) -> PyResult<NetworkPlayer<G, Arc<AlphaZeroNetwork<G>>>> {
    if simulations > MAX_SIMULATIONS {
        return Err(invalid("simulations", simulations, &format!("allowed is 0 to {MAX_SIMULATIONS}")));
    }
    NetworkPlayer::new(network.clone(), simulations)
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

fn parse<G: WrittenGame>(position: &str, dice: Option<(u8, u8)>) -> PyResult<G> {
    G::parse(position, dice).map_err(|why| invalid("position", format!("{:?}", shorten(position)), &why))
}

/// Returns the outcome probabilities `[positions, HEADS]` and the equities `[positions]` of the given positions; see
/// `NativePlayer::evaluate`.
fn evaluate<G: WrittenGame>(
    py: Python<'_>,
    network: &Arc<AlphaZeroNetwork<G>>,
    positions: &[String],
    simulations: u32,
) -> PyResult<(Vec<f32>, Vec<f32>)> {
    let states: Vec<G> = positions.iter().map(|text| parse(text, None)).collect::<PyResult<_>>()?;
    let mut player = player(network, simulations)?;
    let mut heads = vec![0.0; states.len() * G::HEADS];
    let is_over = |state: &G| matches!(state.status(), GameStatus::Over(_));
    let open: Vec<G> = states.iter().copied().filter(|state| !is_over(state)).collect();
    let mut known = vec![0.0; open.len() * G::HEADS];
    detached(py, || {
        ForwardPass::new(network, open.len().max(1)).heads(network, &open, &mut known);
        Ok(())
    })?;
    let mut known = known.chunks_exact(G::HEADS);
    let mut equities = Vec::with_capacity(states.len());
    for (state, heads) in states.iter().zip(heads.chunks_exact_mut(G::HEADS)) {
        if let GameStatus::Over(value) = state.status() {
            G::outcome_heads(value, heads);
        } else if let Some(known) = known.next() {
            heads.copy_from_slice(known);
        }
        let equity = if simulations == 0 || is_over(state) {
            G::equity(heads)
        } else {
            let searched = detached(py, || Ok(player.value(state)))?;
            py.check_signals()?;
            searched.map_err(|error| PyRuntimeError::new_err(error.to_string()))?
        };
        equities.push(equity);
    }
    Ok((heads, equities))
}

/// Returns the best turn in each position, in the notation of the game; see `NativePlayer::best_turns`.
fn best_turns<G: WrittenGame>(
    py: Python<'_>,
    network: &Arc<AlphaZeroNetwork<G>>,
    positions: &[String],
    dice: Option<&[(u8, u8)]>,
    simulations: u32,
    seed: u64,
) -> PyResult<Vec<String>> {
    if let Some(dice) = dice.filter(|dice| dice.len() != positions.len()) {
        return Err(PyValueError::new_err(format!(
            "dice has {} rolls for {} positions; give one roll for each position",
            dice.len(),
            positions.len()
        )));
    }
    let mut player = player(network, simulations)?;
    let mut turns = Vec::with_capacity(positions.len());
    for (index, position) in positions.iter().enumerate() {
        let before: G = parse(position, dice.map(|dice| dice[index]))?;
        if before.status() != GameStatus::Decision {
            let why = match before.status() {
                GameStatus::Over(_) => "the game is over; there is no move to choose",
                _ => "the dice are not rolled; give dice, such as (3, 1)",
            };
            return Err(invalid("position", format!("{:?}", shorten(position)), why));
        }
        let (mut state, mut step) = (before, 0);
        // A turn may have several decisions, such as the two halves of a double.
        while state.status() == GameStatus::Decision && state.player() == before.player() {
            let decision = Decision::new(state, seed, index as u32, step);
            let chosen = detached(py, || Ok(player.choose(&[decision])))?;
            let chosen = chosen.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            state = Game::after(&state, chosen.first().copied().unwrap_or(0));
            step += 1;
        }
        py.check_signals()?;
        turns.push(G::written_turn(&before, &state));
    }
    Ok(turns)
}
