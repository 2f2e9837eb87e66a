//! Players that are available for the game at the table and for matches: networks, with or without a search, and
//! reference players.

use super::rules::TableGame;
use super::search_size::check_search;
use crate::protocol::{GamePlayer, PlayerChoice};
use std::collections::VecDeque;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZero, AlphaZeroNetwork};
use vivarium_agents::players::{NetworkPlayer, Player};
use vivarium_lab::error::LabError;

/// Maximum number of former best networks that are kept as opponents.
pub(super) const MAX_EARLIER: usize = 8;

/// Immutable copy of a network, with its number of gradient steps.
pub(crate) struct PlayerNetwork<G> {
    pub(crate) network: Arc<AlphaZeroNetwork<G>>,
    /// Number of gradient steps that the network was trained for; 0 for a network opened from a file.
    pub(crate) updates: u64,
}

impl<G> Clone for PlayerNetwork<G> {
    fn clone(&self) -> Self {
        Self { network: self.network.clone(), updates: self.updates }
    }
}

/// Networks that are available as players: newest, best, former best networks and the network opened from a file.
pub(crate) struct PlayerPool<G> {
    pub(crate) newest: PlayerNetwork<G>,
    pub(crate) best: PlayerNetwork<G>,
    /// Former best networks, oldest first, each with its promotion number: the number of promotions of the run when the
    /// network became the best network.
    pub(crate) earlier: VecDeque<(u32, PlayerNetwork<G>)>,
    pub(crate) opened: Option<PlayerNetwork<G>>,
}

impl<G: TableGame> PlayerPool<G> {
    /// Creates a pool with the initial network of a learner as newest and best network.
    pub(crate) fn new(learner: &AlphaZero<G>) -> Self {
        let newest = newest(learner);
        Self { best: newest.clone(), newest, earlier: VecDeque::new(), opened: None }
    }

    /// Replaces the newest and the best network of the player pool by copies of the networks of `learner`. Called after
    /// the learner was replaced or restored.
    pub(crate) fn copy_networks(&mut self, learner: &AlphaZero<G>) {
        (self.newest, self.best) = (newest(learner), best(learner));
    }

    /// Replaces the pool's newest network by a copy of the learner's newest network if the number of gradient steps
    /// differs.
    pub(crate) fn refresh(&mut self, learner: &AlphaZero<G>) {
        if self.newest.updates != learner.newest_updates() {
            self.newest = newest(learner);
        }
    }

    /// Replaces the pool's best network by the best network of `learner`. The former best network, whose promotion
    /// number is `promotion`, becomes available as an opponent.
    pub(crate) fn promote(&mut self, promotion: u32, learner: &AlphaZero<G>) {
        let before = std::mem::replace(&mut self.best, best(learner));
        // Without promotion matches, the promotion number does not change, so only the first replaced network becomes an
        // opponent.
        if self.earlier.back().is_some_and(|(last, _)| *last == promotion) {
            return;
        }
        if self.earlier.len() == MAX_EARLIER {
            self.earlier.pop_front();
        }
        self.earlier.push_back((promotion, before));
    }

    /// Returns the network of a player; `None` if the player uses no network, or if the pool no longer contains its
    /// network.
    pub(crate) fn network(&self, player: GamePlayer) -> Option<&PlayerNetwork<G>> {
        match player {
            GamePlayer::Newest { .. } => Some(&self.newest),
            GamePlayer::Best { .. } => Some(&self.best),
            GamePlayer::Earlier { promotion, .. } => {
                self.earlier.iter().find(|(number, _)| *number == promotion).map(|(_, known)| known)
            }
            GamePlayer::Opened { .. } => self.opened.as_ref(),
            GamePlayer::Person
            | GamePlayer::Random
            | GamePlayer::Pips
            | GamePlayer::Pubeval
            | GamePlayer::Minimax { .. } => None,
        }
    }

    /// Checks that a player is available. `field` is the name of the command argument that the error states.
    ///
    /// # Errors
    /// [`LabError::Invalid`] listing the available players.
    pub(crate) fn check(&self, field: &str, player: GamePlayer) -> Result<(), LabError> {
        let refuse = |allowed: String| Err(LabError::invalid(field, label(player), allowed));
        if player == GamePlayer::Person || G::opponent(player).is_some() {
            return Ok(());
        }
        let Some(simulations) = simulations(player) else {
            let names: Vec<_> = G::opponents().into_iter().map(|(_, player)| label(player)).collect();
            return refuse(format!(
                "this player does not play {}; available are {} and networks",
                G::TITLE,
                names.join(", ")
            ));
        };
        if self.network(player).is_none() {
            return refuse(match player {
                GamePlayer::Opened { .. } => "no network has been opened yet".into(),
                _ => match (self.earlier.front(), self.earlier.back()) {
                    (Some((first, _)), Some((last, _))) => {
                        format!("available earlier networks: those after {first} to {last} promotions")
                    }
                    _ => "no network has been promoted yet, so there is no earlier one".into(),
                },
            });
        }
        check_search::<G>(field, simulations)
    }

    /// Returns all available players except the human player, with labels and descriptions, for the user to choose
    /// from.
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

    /// Creates an instance of a player for a match. `field` is the name of the command argument that the error states.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the player is unavailable or human.
    pub(crate) fn seated(&self, field: &str, player: GamePlayer) -> Result<Box<dyn Player<G>>, LabError> {
        self.check(field, player)?;
        if let Some(known) = self.network(player) {
            let simulations = simulations(player).unwrap_or(0);
            let player = NetworkPlayer::new(known.network.clone(), simulations)
                .map_err(|error| LabError::invalid(field, label(player), error.to_string()))?;
            return Ok(Box::new(player));
        }
        G::opponent(player).ok_or_else(|| {
            LabError::invalid(
                field,
                label(player),
                "a human player cannot play matches; choose a network or a reference player",
            )
        })
    }
}

fn newest<G: TableGame>(learner: &AlphaZero<G>) -> PlayerNetwork<G> {
    PlayerNetwork { network: Arc::new(learner.newest().clone()), updates: learner.newest_updates() }
}

fn best<G: TableGame>(learner: &AlphaZero<G>) -> PlayerNetwork<G> {
    PlayerNetwork { network: Arc::new(learner.best().clone()), updates: learner.counters().updates }
}

/// Returns the reference players of game `G`, such as random or minimax players, with labels and descriptions.
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

/// Returns the number of search simulations per decision of a network player; `None` for other players.
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

/// Returns the display label of a player.
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
        GamePlayer::Minimax { depth } => format!("Minimax, {depth} moves ahead"),
    }
}

fn help(player: GamePlayer) -> &'static str {
    match player {
        GamePlayer::Person => "Human player.",
        GamePlayer::Newest { .. } => "The newest weights of the training run.",
        GamePlayer::Best { .. } => "The winner of the last promotion match.",
        GamePlayer::Earlier { .. } => "A former best network.",
        GamePlayer::Opened { .. } => "A network opened from a file.",
        GamePlayer::Random => "Uniformly random legal moves.",
        GamePlayer::Pips => "Maximizes the lead in pips and avoids blots.",
        GamePlayer::Pubeval => "Pubeval (Tesauro 1993), the public linear benchmark evaluator.",
        GamePlayer::Minimax { .. } => {
            "Alpha-beta search to a fixed depth that evaluates only won and lost games."
        }
    }
}
