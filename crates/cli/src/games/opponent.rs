//! Opponents in matches and in `vivarium play`: built-in reference players and networks of checkpoints.

use super::gnubg::Gnubg;
use super::network::TrainedNetwork;
use crate::checkpoint_file::CheckpointFile;
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

/// Constructor of a built-in player. The error states why the player is unavailable.
type PlayerFactory<G> = fn() -> Result<Box<dyn Player<G>>, String>;

/// Board game with built-in reference players.
pub trait PlayableGame: SelfPlayGame + MatchGame {
    /// Display name of the game.
    const TITLE: &'static str;
    /// Built-in reference players: name and constructor. The default opponents come first.
    const BUILT_IN: &'static [(&'static str, PlayerFactory<Self>)];
    /// Number of default opponents: the first entries of [`BUILT_IN`](Self::BUILT_IN).
    const NUM_DEFAULT: usize;
    /// Description of the two games of a pair, such as "swapped seats".
    const PAIRED_BY: &'static str;

    /// Measures the mean equity loss per decision of `player` and of the default opponents, on decisions whose plays
    /// have known equities. Returns pairs (name, loss); none if the game has no such decisions.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a player is unavailable or fails.
    fn equity_losses(player: &Opponent<Self>) -> Result<Vec<(String, EquityLoss)>, CliError>;
}

impl PlayableGame for State {
    const TITLE: &'static str = "Backgammon";
    const BUILT_IN: &'static [(&'static str, PlayerFactory<Self>)] = &[
        ("random", || Ok(Box::new(Random))),
        ("pips", || Ok(Box::new(Pips))),
        ("pubeval", || Ok(Box::new(Pubeval))),
        ("gnubg", || Ok(Box::new(Gnubg::start(0)?))),
        ("gnubg-2ply", || Ok(Box::new(Gnubg::start(2)?))),
    ];
    const NUM_DEFAULT: usize = 3;
    const PAIRED_BY: &'static str = "the same dice and swapped seats";

    fn equity_losses(player: &Opponent<Self>) -> Result<Vec<(String, EquityLoss)>, CliError> {
        let decisions = RatedDecision::all().map_err(CliError::failed_by)?;
        let others = Opponent::defaults();
        let loss = |player: &Opponent<Self>| {
            let loss = EquityLoss::of(player.player()?.as_mut(), &decisions).map_err(CliError::failed_by)?;
            Ok((player.name.clone(), loss))
        };
        std::iter::once(player).chain(others.iter().rev()).map(loss).collect()
    }
}

impl PlayableGame for ConnectFour {
    const TITLE: &'static str = "Connect Four";
    const BUILT_IN: &'static [(&'static str, PlayerFactory<Self>)] = &[
        ("random", || Ok(Box::new(Random))),
        ("minimax-2", || Ok(Box::new(Minimax { plies: 2 }))),
        ("minimax-4", || Ok(Box::new(Minimax { plies: 4 }))),
        ("minimax-6", || Ok(Box::new(Minimax { plies: 6 }))),
        ("minimax-8", || Ok(Box::new(Minimax { plies: 8 }))),
        ("solver", || Ok(Box::new(Solver::new()))),
    ];
    const NUM_DEFAULT: usize = 4;
    const PAIRED_BY: &'static str = "swapped seats";

    fn equity_losses(_: &Opponent<Self>) -> Result<Vec<(String, EquityLoss)>, CliError> {
        Ok(Vec::new())
    }
}

/// Computer opponent: a built-in reference player or a network.
pub struct Opponent<G> {
    /// Name of the opponent, as given on the command line.
    pub name: String,
    kind: OpponentKind<G>,
}

enum OpponentKind<G> {
    BuiltIn(PlayerFactory<G>),
    Network(Arc<AlphaZeroNetwork<G>>, u32),
}

impl<G: PlayableGame> Opponent<G> {
    /// Returns the built-in opponent `name`. For any other name, reads the network of the checkpoint at this path;
    /// the network plays with `simulations` search simulations per decision.
    ///
    /// # Errors
    /// [`CliError::Usage`] if `name` is neither an opponent nor a file; [`CliError::Failed`] if the checkpoint is
    /// invalid.
    pub fn named(name: &str, simulations: u32) -> Result<Self, CliError> {
        if let Some(&(name, new_player)) = G::BUILT_IN.iter().find(|(known, _)| *known == name) {
            return Ok(Self { name: name.to_owned(), kind: OpponentKind::BuiltIn(new_player) });
        }
        let path = PathBuf::from(name);
        if !path.exists() {
            let names: Vec<_> = G::BUILT_IN.iter().map(|(name, _)| *name).collect();
            let hint = spelling::nearest(name, names.iter().copied());
            let hint = hint.map_or(String::new(), |name| format!("did you mean {name}? "));
            return Err(CliError::usage(format!(
                "--against {name}: neither an opponent of {game} nor a file; {hint}allowed are {} and checkpoints of {game}",
                names.join(", "),
                game = G::NAME
            )));
        }
        let trained = TrainedNetwork::read(&CheckpointFile::read(&path)?)?;
        Ok(Self::network(name, trained.network, simulations))
    }

    /// Creates an opponent with a network and `simulations` search simulations per decision; 0 disables the search.
    pub fn network(name: &str, network: Arc<AlphaZeroNetwork<G>>, simulations: u32) -> Self {
        Self { name: name.to_owned(), kind: OpponentKind::Network(network, simulations) }
    }

    /// Returns the default opponents, in the order of [`BUILT_IN`](PlayableGame::BUILT_IN).
    pub fn defaults() -> Vec<Self> {
        let built_in = |&(name, new_player): &(&str, PlayerFactory<G>)| Self {
            name: name.to_owned(),
            kind: OpponentKind::BuiltIn(new_player),
        };
        G::BUILT_IN[..G::NUM_DEFAULT].iter().map(built_in).collect()
    }

    /// Creates a new player that chooses the opponent's moves.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the player is not installed, or its search does not fit into memory.
    pub fn player(&self) -> Result<Box<dyn Player<G>>, CliError> {
        match &self.kind {
            OpponentKind::BuiltIn(new_player) => new_player().map_err(CliError::failed),
            OpponentKind::Network(network, simulations) => {
                let player = NetworkPlayer::new(network.clone(), *simulations);
                Ok(Box::new(player.map_err(CliError::failed_by)?))
            }
        }
    }
}
