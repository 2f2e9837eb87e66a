//! What a checkpoint holds of a board game's experiment, as its bytes and back, and the network alone as a file.

use super::divergence_guard::SelfPlayDivergenceGuard;
use super::player_pool::{PlayerNetwork, PlayerPool};
use super::rules::TableGame;
use super::session::{GameSession, SavedState};
use super::{ladder, networks};
use crate::entries::{least_weights, read, schema};
use crate::protocol::LadderRow;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZero, AlphaZeroNetwork, network_tensors, read_network};
use vivarium_lab::checkpoint::{self, Header, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::protocol::Reply;
use vivarium_lab::run::Run;

/// How often the guard went back.
const ROLL_BACKS: &str = "guard";

/// What stands beside the tensors: the gradient steps of the best network, all measurements of strength, the table.
const BEST_UPDATES: &str = "best_updates";
const LADDER: &str = "ladder";
const SESSION: &str = "table";

/// What is said of a learner that was opened.
const BEGINS_ANEW: &str = "Games of self-play and the replay begin anew: a checkpoint does not hold them. Learning goes on \
                           once the first of the new games are over.";

/// Rows of the ladder.
pub(super) const MOST_ROWS: usize = 4096;

/// What learns, who plays, how strong the newest network was, and the table.
pub(super) struct GameState<G: TableGame> {
    pub(super) learner: AlphaZero<G>,
    pub(super) pool: PlayerPool<G>,
    pub(super) guard: SelfPlayDivergenceGuard,
    /// All measurements of strength that are over.
    pub(super) ladder_rows: Vec<LadderRow>,
    pub(super) session: GameSession<G>,
}

impl<G: TableGame> GameState<G> {
    /// That of a learner that has learned nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    pub(super) fn new(config: &Value, seed: u64) -> Result<Self, LabError> {
        let learner = AlphaZero::<G>::new(read(config)?, seed)?;
        Ok(Self {
            pool: PlayerPool::new(&learner),
            guard: SelfPlayDivergenceGuard::default(),
            ladder_rows: Vec::new(),
            session: GameSession::new(seed),
            learner,
        })
    }

    /// The checkpoint of a run: what was learned, who can play, how strong it was, and the table. Games of self-play and matches
    /// that are under way and the replay are begun anew: with the search trees they would take up to 2 GiB.
    pub(super) fn bytes(&self, run: &Run) -> Vec<u8> {
        let mut tensors = self.learner.save();
        tensors.push(flat(ROLL_BACKS, TensorData::U64(vec![self.guard.roll_backs()])));
        tensors.extend(networks::save(&self.pool));
        let more = json!({
            BEST_UPDATES: self.pool.best.updates,
            LADDER: self.ladder_rows,
            SESSION: self.session.to_saved(),
        });
        checkpoint::write(&self.header(run, more), &tensors)
    }

    fn header(&self, run: &Run, more: Value) -> Header {
        run.header(self.learner.counters().decisions, more)
    }

    /// The state in a checkpoint, whose config is whole and checked, with notices. A file with a network alone gives one
    /// that goes on from that. A table or a ladder that cannot be is left out, and a notice says so: what was learned is worth
    /// more.
    ///
    /// # Errors
    /// [`LabError`] saying what does not fit.
    pub(super) fn open(header: &Header, mut found: Tensors) -> Result<(Self, Vec<String>), LabError> {
        found.check_min_values(least_weights(read(&header.config)?.size()))?;
        let mut opened = Self::new(&header.config, header.seed)?;
        let model = opened.learner.save();
        let roll_backs = flat(ROLL_BACKS, TensorData::U64(vec![0]));
        if found.contains(ROLL_BACKS) {
            let tensors = found.take_like(&model)?;
            let roll_backs = found.take_like(&[roll_backs])?;
            opened.pool.earlier = networks::take_earlier(&mut found, opened.learner.newest())?;
            opened.pool.opened = networks::take_opened(&mut found)?;
            found.finish()?;
            opened.learner = AlphaZero::restore(read(&header.config)?, header.seed, &tensors)?;
            if let Some(TensorData::U64(count)) = roll_backs.into_iter().next().map(|tensor| tensor.values) {
                opened.guard =
                    SelfPlayDivergenceGuard::of_checkpoint(count[0], opened.learner.counters().generations);
            }
        } else {
            let tensors = found.take_like(&opened.learner.save_best())?;
            found.finish()?;
            opened.learner.adopt_best(&tensors)?;
        }
        opened.pool.take_up(&opened.learner);
        let mut notices = opened.recall(&header.more);
        if opened.learner.counters().samples > 0 {
            notices.push(BEGINS_ANEW.into());
        }
        Ok((opened, notices))
    }

    /// Takes up what stands in a file beside the tensors; nothing in files that were written before anything did. Returns what
    /// is to be said of what had to be left out.
    fn recall(&mut self, more: &Value) -> Vec<String> {
        let mut notices = Vec::new();
        let mut lacks = |what: &str, instead: &str, error: &LabError| {
            notices.push(format!(
                "{what} of this file cannot be taken up: {error}. What was learned is here; {instead}."
            ));
        };
        if let Some(updates) = more[BEST_UPDATES].as_u64() {
            self.pool.best.updates = updates;
        }
        if !more[LADDER].is_null() {
            match ladder::read::<G>(&more[LADDER], MOST_ROWS) {
                Ok(ladder_rows) => self.ladder_rows = ladder_rows,
                Err(error) => lacks("The measurements of strength", "they begin anew", &error),
            }
        }
        if !more[SESSION].is_null() {
            let saved = SavedState::deserialize(&more[SESSION])
                .map_err(|error| LabError::checkpoint(error.to_string()))
                .and_then(|saved| GameSession::from_saved(self.learner.seed(), saved, &self.pool));
            match saved {
                Ok(session) => self.session = session,
                Err(error) => lacks("The table", "a new game is on it", &error),
            }
        }
        notices
    }

    /// The network that plays, alone in a file: the best one, or before any match was won the newest.
    pub(super) fn export(&self, run: &Run) -> Reply {
        network_file::network_file(&self.header(run, Value::Null), &network_tensors(self.learner.player()))
    }
}

/// The network that plays of a file, be it of a whole run or a network alone.
///
/// # Errors
/// [`LabError`] saying what is wrong with it.
pub(super) fn player_of<G: TableGame>(bytes: &[u8]) -> Result<PlayerNetwork<G>, LabError> {
    let (header, tensors) = network_file::open_network(&schema::<G>(), bytes)?;
    let config = read(&header.config).map_err(LabError::in_checkpoint)?;
    tensors.check_min_values(least_weights(config.size()))?;
    let model =
        AlphaZeroNetwork::new(config.size(), 0).map_err(|error| LabError::checkpoint(error.to_string()))?;
    let (network, _) = read_network(&model, &tensors.into_vec())?;
    Ok(PlayerNetwork { network: Arc::new(network), updates: 0 })
}
