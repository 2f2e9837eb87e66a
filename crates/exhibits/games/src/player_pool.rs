//! Who plays: networks, with or without a search, and those that do not learn.

use super::rules::TableGame;
use super::search_size::check_search;
use crate::protocol::{GamePlayer, PlayerChoice};
use std::collections::VecDeque;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZero, AlphaZeroNetwork};
use vivarium_agents::players::{NetworkPlayer, Player};
use vivarium_lab::error::LabError;

/// Best networks of the past that are kept as opponents.
pub(super) const EARLIER: usize = 8;

/// A network that does not change, and how much it had learned.
pub(crate) struct PlayerNetwork<G> {
    pub(crate) network: Arc<AlphaZeroNetwork<G>>,
    /// Gradient steps.
    pub(crate) updates: u64,
}

impl<G> Clone for PlayerNetwork<G> {
    fn clone(&self) -> Self {
        Self { network: self.network.clone(), updates: self.updates }
    }
}

/// Networks that can play, besides a person and those that do not learn.
pub(crate) struct PlayerPool<G> {
    pub(crate) newest: PlayerNetwork<G>,
    pub(crate) best: PlayerNetwork<G>,
    /// Best networks of the past, each with how many had been promoted before it.
    pub(crate) earlier: VecDeque<(u32, PlayerNetwork<G>)>,
    pub(crate) opened: Option<PlayerNetwork<G>>,
}

impl<G: TableGame> PlayerPool<G> {
    /// The network of a learner that has learned nothing yet.
    pub(crate) fn new(learner: &AlphaZero<G>) -> Self {
        let newest = newest(learner);
        Self { best: newest.clone(), newest, earlier: VecDeque::new(), opened: None }
    }

    /// The learner is another one, or in another state.
    pub(crate) fn take_up(&mut self, learner: &AlphaZero<G>) {
        (self.newest, self.best) = (newest(learner), best(learner));
    }

    /// Has the newest network be the one that is learning now.
    pub(crate) fn refresh(&mut self, learner: &AlphaZero<G>) {
        if self.newest.updates != learner.newest_updates() {
            self.newest = newest(learner);
        }
    }

    /// The learner's best network is another one from now on; the one before, which `promotion` others had been before,
    /// becomes an opponent.
    pub(crate) fn promote(&mut self, promotion: u32, learner: &AlphaZero<G>) {
        let before = std::mem::replace(&mut self.best, best(learner));
        // Where every generation's network is the best, none is numbered.
        if self.earlier.back().is_some_and(|(last, _)| *last == promotion) {
            return;
        }
        if self.earlier.len() == EARLIER {
            self.earlier.pop_front();
        }
        self.earlier.push_back((promotion, before));
    }

    /// The network of a player; `None` for one that has none, or none any more.
    pub(crate) fn network(&self, player: GamePlayer) -> Option<&PlayerNetwork<G>> {
        match player {
            GamePlayer::Newest { .. } => Some(&self.newest),
            GamePlayer::Best { .. } => Some(&self.best),
            GamePlayer::Earlier { promotion, .. } => {
                self.earlier.iter().find(|(number, _)| *number == promotion).map(|(_, known)| known)
            }
            GamePlayer::Opened { .. } => self.opened.as_ref(),
            _ => None,
        }
    }

    /// Refuses whoever cannot play here.
    ///
    /// # Errors
    /// [`LabError::Invalid`] saying who can.
    pub(crate) fn check(&self, field: &str, player: GamePlayer) -> Result<(), LabError> {
        let refuse = |allowed: String| Err(LabError::invalid(field, label(player), allowed));
        if player == GamePlayer::Person || G::opponent(player).is_some() {
            return Ok(());
        }
        let Some(simulations) = simulations(player) else {
            let names: Vec<_> = G::opponents().into_iter().map(|(_, player)| label(player)).collect();
            return refuse(format!("it does not play {}; {} do, and networks", G::TITLE, names.join(", ")));
        };
        if self.network(player).is_none() {
            return refuse(match player {
                GamePlayer::Opened { .. } => "no network has been opened yet".into(),
                _ => match (self.earlier.front(), self.earlier.back()) {
                    (Some((first, _)), Some((last, _))) => {
                        format!("of the earlier networks, those after {first} to {last} promotions are kept")
                    }
                    _ => "no network has been promoted yet, so there is no earlier one".into(),
                },
            });
        }
        check_search::<G>(field, simulations)
    }

    /// Everybody who can play, besides a person.
    pub(crate) fn choices(&self) -> Vec<PlayerChoice> {
        let mut choices = fixed::<G>();
        let earlier =
            self.earlier.iter().map(|&(promotion, _)| GamePlayer::Earlier { promotion, simulations: 0 });
        choices.extend(earlier.map(choice));
        if self.opened.is_some() {
            choices.push(choice(GamePlayer::Opened { simulations: 0 }));
        }
        choices
            .extend([GamePlayer::Best { simulations: 0 }, GamePlayer::Newest { simulations: 0 }].map(choice));
        choices
    }

    /// Somebody who can sit down to a match.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for who cannot, a person among them.
    pub(crate) fn seated(&self, field: &str, player: GamePlayer) -> Result<Box<dyn Player<G>>, LabError> {
        self.check(field, player)?;
        if let Some(known) = self.network(player) {
            let simulations = simulations(player).unwrap_or(0);
            let player = NetworkPlayer::new(known.network.clone(), simulations)
                .map_err(|error| LabError::invalid(field, label(player), error.to_string()))?;
            return Ok(Box::new(player));
        }
        G::opponent(player).ok_or_else(|| {
            LabError::invalid(field, label(player), "a person does not play matches; sit down at the table")
        })
    }
}

fn newest<G: TableGame>(learner: &AlphaZero<G>) -> PlayerNetwork<G> {
    PlayerNetwork { network: Arc::new(learner.newest().clone()), updates: learner.newest_updates() }
}

fn best<G: TableGame>(learner: &AlphaZero<G>) -> PlayerNetwork<G> {
    PlayerNetwork { network: Arc::new(learner.best().clone()), updates: learner.counters().updates }
}

/// Those who play without having learned it here.
pub(crate) fn fixed<G: TableGame>() -> Vec<PlayerChoice> {
    G::opponents().into_iter().map(|(_, player)| choice(player)).collect()
}

fn choice(player: GamePlayer) -> PlayerChoice {
    PlayerChoice {
        player,
        label: label(player),
        help: help(player).into(),
        searches: simulations(player).is_some(),
    }
}

/// The simulations of a network's search; `None` for who has none.
pub(crate) fn simulations(player: GamePlayer) -> Option<u32> {
    match player {
        GamePlayer::Newest { simulations }
        | GamePlayer::Best { simulations }
        | GamePlayer::Earlier { simulations, .. }
        | GamePlayer::Opened { simulations } => Some(simulations),
        GamePlayer::Person
        | GamePlayer::Random
        | GamePlayer::Pips
        | GamePlayer::Pubeval
        | GamePlayer::Minimax { .. } => None,
    }
}

/// What a player is called.
pub(crate) fn label(player: GamePlayer) -> String {
    let searching = |name: String| match simulations(player) {
        Some(simulations @ 1..) => format!("{name}, {simulations} simulations"),
        _ => name,
    };
    match player {
        GamePlayer::Person => "You".into(),
        GamePlayer::Newest { .. } => searching("Newest network".into()),
        GamePlayer::Best { .. } => searching("Best network".into()),
        GamePlayer::Earlier { promotion: 0, .. } => searching("Before any promotion".into()),
        GamePlayer::Earlier { promotion: 1, .. } => searching("Best after 1 promotion".into()),
        GamePlayer::Earlier { promotion, .. } => searching(format!("Best after {promotion} promotions")),
        GamePlayer::Opened { .. } => searching("Opened network".into()),
        GamePlayer::Random => "Random".into(),
        GamePlayer::Pips => "Pip count".into(),
        GamePlayer::Pubeval => "Pubeval".into(),
        GamePlayer::Minimax { depth } => format!("Minimax, {depth} plies"),
    }
}

fn help(player: GamePlayer) -> &'static str {
    match player {
        GamePlayer::Person => "Whoever sits before the screen.",
        GamePlayer::Newest { .. } => "As it is learning, with what it knows when a decision begins.",
        GamePlayer::Best { .. } => "The one that won its promotion last.",
        GamePlayer::Earlier { .. } => "The best at an earlier time.",
        GamePlayer::Opened { .. } => "The network of a file.",
        GamePlayer::Random => "Any legal move, all alike.",
        GamePlayer::Pips => "Runs, hits and makes points by simple rules.",
        GamePlayer::Pubeval => "The public linear evaluator that others measure themselves against.",
        GamePlayer::Minimax { .. } => "Sees won and lost games so many plies ahead, and nothing else.",
    }
}
