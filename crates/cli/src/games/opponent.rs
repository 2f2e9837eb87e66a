//! Whom a network can be measured against.

use super::gnubg::Gnubg;
use super::network::Trained;
use crate::failure::Failure;
use std::path::PathBuf;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, SelfPlayGame};
use vivarium_agents::players::{
    EquityLoss, MatchGame, Minimax, NetworkPlayer, Pips, Player, Pubeval, Random, RatedDecision, Solver,
};
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_lab::spelling;

/// A way to have a player sit down, or a message if it is not there.
type Seat<G> = fn() -> Result<Box<dyn Player<G>>, String>;

/// A game whose players the program knows.
pub trait Playable: SelfPlayGame + MatchGame {
    /// What the game is called.
    const TITLE: &'static str;
    /// Those who play it without having learned it here, by name.
    const FIXED: &'static [(&'static str, Seat<Self>)];
    /// How many of them, the first ones, a network is measured against if nothing else is asked for.
    const LADDER: usize;

    /// What a player loses by its decisions, and what others lose by the same, with their names; nothing where no decisions
    /// are rated.
    ///
    /// # Errors
    /// [`Failure::Failed`] if the player is not there or cannot go on.
    fn losses(player: &Opponent<Self>) -> Result<Vec<(String, EquityLoss)>, Failure>;
}

impl Playable for State {
    const TITLE: &'static str = "Backgammon";
    const FIXED: &'static [(&'static str, Seat<Self>)] = &[
        ("random", || Ok(Box::new(Random))),
        ("pips", || Ok(Box::new(Pips))),
        ("pubeval", || Ok(Box::new(Pubeval))),
        ("gnubg", || Ok(Box::new(Gnubg::start(0)?))),
        ("gnubg-2ply", || Ok(Box::new(Gnubg::start(2)?))),
    ];
    const LADDER: usize = 3;

    fn losses(player: &Opponent<Self>) -> Result<Vec<(String, EquityLoss)>, Failure> {
        let decisions = RatedDecision::all().map_err(Failure::failed_by)?;
        let others = Opponent::ladder();
        let loss = |player: &Opponent<Self>| {
            let loss = EquityLoss::of(player.seat()?.as_mut(), &decisions).map_err(Failure::failed_by)?;
            Ok((player.name.clone(), loss))
        };
        std::iter::once(player).chain(others.iter().rev()).map(loss).collect()
    }
}

impl Playable for ConnectFour {
    const TITLE: &'static str = "Connect Four";
    const FIXED: &'static [(&'static str, Seat<Self>)] = &[
        ("random", || Ok(Box::new(Random))),
        ("minimax-2", || Ok(Box::new(Minimax { plies: 2 }))),
        ("minimax-4", || Ok(Box::new(Minimax { plies: 4 }))),
        ("minimax-6", || Ok(Box::new(Minimax { plies: 6 }))),
        ("minimax-8", || Ok(Box::new(Minimax { plies: 8 }))),
        ("solver", || Ok(Box::new(Solver::new()))),
    ];
    const LADDER: usize = 4;

    fn losses(_: &Opponent<Self>) -> Result<Vec<(String, EquityLoss)>, Failure> {
        Ok(Vec::new())
    }
}

/// Anybody who can play without a person.
pub struct Opponent<G> {
    /// As it was named.
    pub name: String,
    kind: Kind<G>,
}

enum Kind<G> {
    Fixed(Seat<G>),
    Network(Arc<AlphaZeroNetwork<G>>, u32),
}

impl<G: Playable> Opponent<G> {
    /// The one of a name, or the network of a checkpoint with a search of so many simulations.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a name that nobody has and no file either; [`Failure::Failed`] for a file that is no
    /// checkpoint of the game.
    pub fn named(name: &str, simulations: u32) -> Result<Self, Failure> {
        if let Some(&(name, seat)) = G::FIXED.iter().find(|(known, _)| *known == name) {
            return Ok(Self { name: name.to_owned(), kind: Kind::Fixed(seat) });
        }
        let path = PathBuf::from(name);
        if !path.exists() {
            let names: Vec<_> = G::FIXED.iter().map(|(name, _)| *name).collect();
            let hint = spelling::nearest(name, names.iter().copied());
            let hint = hint.map_or(String::new(), |name| format!("did you mean {name}? "));
            return Err(Failure::usage(format!(
                "--against {name}: neither a player of {game} nor a file; {hint}allowed are {} and checkpoints of {game}",
                names.join(", "),
                game = G::NAME
            )));
        }
        Ok(Self::network(name, Trained::read(&path)?.network, simulations))
    }

    /// A network, with a search of so many simulations or none.
    pub fn network(name: &str, network: Arc<AlphaZeroNetwork<G>>, simulations: u32) -> Self {
        Self { name: name.to_owned(), kind: Kind::Network(network, simulations) }
    }

    /// Those whom a network is measured against if nothing else is asked for.
    pub fn ladder() -> Vec<Self> {
        let fixed = |&(name, seat): &(&str, Seat<G>)| Self { name: name.to_owned(), kind: Kind::Fixed(seat) };
        G::FIXED[..G::LADDER].iter().map(fixed).collect()
    }

    /// Has it sit down.
    ///
    /// # Errors
    /// [`Failure::Failed`] if it is not installed, or its search takes more memory than there is.
    pub fn seat(&self) -> Result<Box<dyn Player<G>>, Failure> {
        match &self.kind {
            Kind::Fixed(seat) => seat().map_err(Failure::failed),
            Kind::Network(network, simulations) => {
                let player = NetworkPlayer::new(network.clone(), *simulations);
                Ok(Box::new(player.map_err(Failure::failed_by)?))
            }
        }
    }
}
