//! Opponents for matches and play.

use super::gnubg::Gnubg;
use super::network::TrainedNetwork;
use crate::error::CliError;
use std::path::PathBuf;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, SelfPlayGame};
use vivarium_agents::players::{
    EquityLoss, MatchGame, Minimax, NetworkPlayer, Pips, Player, Pubeval, Random, RatedDecision, Solver,
};
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_lab::spelling;

/// Constructor of a player. The error is the reason why the player is unavailable.
type PlayerFactory<G> = fn() -> Result<Box<dyn Player<G>>, String>;

/// Board game with built-in reference players.
pub trait PlayableGame: SelfPlayGame + MatchGame {
    /// Display name of the game.
    const TITLE: &'static str;
    /// Built-in reference players: name and constructor.
    const FIXED: &'static [(&'static str, PlayerFactory<Self>)];
    /// Number of default opponents: the first entries of [`FIXED`](Self::FIXED).
    const LADDER: usize;

    /// Measures the mean equity loss of `player` and of the default opponents on rated decisions (decisions whose plays
    /// have known equities). Returns (name, loss) pairs; empty if the game has no rated decisions.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a player is unavailable or fails.
    fn losses(player: &Opponent<Self>) -> Result<Vec<(String, EquityLoss)>, CliError>;
}

impl PlayableGame for State {
    const TITLE: &'static str = "Backgammon";
    const FIXED: &'static [(&'static str, PlayerFactory<Self>)] = &[
        ("random", || Ok(Box::new(Random))),
        ("pips", || Ok(Box::new(Pips))),
        ("pubeval", || Ok(Box::new(Pubeval))),
        ("gnubg", || Ok(Box::new(Gnubg::start(0)?))),
        ("gnubg-2ply", || Ok(Box::new(Gnubg::start(2)?))),
    ];
    const LADDER: usize = 3;

    fn losses(player: &Opponent<Self>) -> Result<Vec<(String, EquityLoss)>, CliError> {
        let decisions = RatedDecision::all().map_err(CliError::failed_by)?;
        let others = Opponent::ladder();
        let loss = |player: &Opponent<Self>| {
            let loss = EquityLoss::of(player.player()?.as_mut(), &decisions).map_err(CliError::failed_by)?;
            Ok((player.name.clone(), loss))
        };
        std::iter::once(player).chain(others.iter().rev()).map(loss).collect()
    }
}

impl PlayableGame for ConnectFour {
    const TITLE: &'static str = "Connect Four";
    const FIXED: &'static [(&'static str, PlayerFactory<Self>)] = &[
        ("random", || Ok(Box::new(Random))),
        ("minimax-2", || Ok(Box::new(Minimax { plies: 2 }))),
        ("minimax-4", || Ok(Box::new(Minimax { plies: 4 }))),
        ("minimax-6", || Ok(Box::new(Minimax { plies: 6 }))),
        ("minimax-8", || Ok(Box::new(Minimax { plies: 8 }))),
        ("solver", || Ok(Box::new(Solver::new()))),
    ];
    const LADDER: usize = 4;

    fn losses(_: &Opponent<Self>) -> Result<Vec<(String, EquityLoss)>, CliError> {
        Ok(Vec::new())
    }
}

/// Computer opponent: a reference player or a network.
pub struct Opponent<G> {
    /// Name of the opponent, as given on the command line.
    pub name: String,
    kind: OpponentKind<G>,
}

enum OpponentKind<G> {
    Fixed(PlayerFactory<G>),
    Network(Arc<AlphaZeroNetwork<G>>, u32),
}

impl<G: PlayableGame> Opponent<G> {
    /// Returns the built-in opponent of this name, or the network of a checkpoint with a search of `simulations`
    /// simulations.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a name that is neither an opponent nor a file; [`CliError::Failed`] for an invalid
    /// checkpoint.
    pub fn named(name: &str, simulations: u32) -> Result<Self, CliError> {
        if let Some(&(name, seat)) = G::FIXED.iter().find(|(known, _)| *known == name) {
            return Ok(Self { name: name.to_owned(), kind: OpponentKind::Fixed(seat) });
        }
        let path = PathBuf::from(name);
        if !path.exists() {
            let names: Vec<_> = G::FIXED.iter().map(|(name, _)| *name).collect();
            let hint = spelling::nearest(name, names.iter().copied());
            let hint = hint.map_or(String::new(), |name| format!("did you mean {name}? "));
            return Err(CliError::usage(format!(
                "--against {name}: neither an opponent of {game} nor a file; {hint}allowed are {} and checkpoints of {game}",
                names.join(", "),
                game = G::NAME
            )));
        }
        Ok(Self::network(name, TrainedNetwork::read(&path)?.network, simulations))
    }

    /// Creates an opponent from a network, with `simulations` search simulations per decision (0: no search).
    pub fn network(name: &str, network: Arc<AlphaZeroNetwork<G>>, simulations: u32) -> Self {
        Self { name: name.to_owned(), kind: OpponentKind::Network(network, simulations) }
    }

    /// Returns the default opponents, in the order of [`FIXED`](PlayableGame::FIXED).
    pub fn ladder() -> Vec<Self> {
        let fixed = |&(name, seat): &(&str, PlayerFactory<G>)| Self {
            name: name.to_owned(),
            kind: OpponentKind::Fixed(seat),
        };
        G::FIXED[..G::LADDER].iter().map(fixed).collect()
    }

    /// Creates a player that chooses the opponent's moves.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the player is not installed, or its search does not fit into memory.
    pub fn player(&self) -> Result<Box<dyn Player<G>>, CliError> {
        match &self.kind {
            OpponentKind::Fixed(seat) => seat().map_err(CliError::failed),
            OpponentKind::Network(network, simulations) => {
                let player = NetworkPlayer::new(network.clone(), *simulations);
                Ok(Box::new(player.map_err(CliError::failed_by)?))
            }
        }
    }
}
