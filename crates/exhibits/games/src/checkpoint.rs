//! Checkpoints of board-game experiments, and network files.

use super::player_pool::{PlayerNetwork, PlayerPool};
use super::rules::TableGame;
use super::session::{GameSession, SavedState};
use super::{ladder, networks};
use crate::entries::{least_weights, read, schema};
use crate::protocol::LadderRow;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use vivarium_agents::Learner;
use vivarium_agents::alphazero::{AlphaZero, AlphaZeroNetwork, network_tensors, read_network};
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::protocol::Reply;
use vivarium_lab::rollback::{MAX_ROLLBACKS, RollbackGuard, RollbackPolicy};
use vivarium_lab::run::Run;
use vivarium_lab::train::Training;

/// Name of the checkpoint tensor with the number of consecutive rollbacks. A rollback restores an earlier learner state
/// after training has diverged.
pub(super) const ROLLBACKS: &str = "guard";

/// Checkpoint header field: number of gradient steps that the best network was trained for.
const BEST_UPDATES: &str = "best_updates";
/// Checkpoint header field: list of the results of ladder matches (against reference players), oldest first.
const LADDER: &str = "ladder";
/// Checkpoint header field: session in which the user plays or analyzes a game, a [`SavedState`].
const SESSION: &str = "table";

/// Notice to the user, after a checkpoint was opened, that self-play games and the replay buffer restart empty.
const RESTART_NOTICE: &str = "Self-play games and the replay buffer restart empty: a checkpoint does not contain them. \
                              Training resumes once the first new games are finished.";

/// Maximum number of stored results of ladder matches (periodic matches against reference players).
pub(super) const MAX_ROWS: usize = 4096;

/// State of a board-game experiment: learner, players, results of the ladder (periodic matches against reference
/// players), and the session in which the user plays or analyzes a game.
pub(super) struct GameState<G: TableGame> {
    pub(super) training: Training<AlphaZero<G>>,
    pub(super) pool: PlayerPool<G>,
    /// Copy of the learner state to which the run returns after a divergence, and the number of consecutive rollbacks.
    /// Progress is measured in training generations (self-play, then gradient steps).
    pub(super) guard: RollbackGuard<Vec<Tensor>>,
    /// Results of all ladder matches (against reference players) so far, oldest first; at most [`MAX_ROWS`].
    pub(super) ladder_rows: Vec<LadderRow>,
    pub(super) session: GameSession<G>,
}

impl<G: TableGame> GameState<G> {
    /// Creates the state with random initial weights from a complete, valid config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if config fields contradict each other.
    pub(super) fn new(config: &Value, seed: u64) -> Result<Self, LabError> {
        let learner = AlphaZero::<G>::new(read(config)?, seed)?;
        Ok(Self {
            pool: PlayerPool::new(&learner),
            guard: guard(&learner),
            ladder_rows: Vec::new(),
            session: GameSession::new(seed),
            training: Training::new(learner),
        })
    }

    /// Serializes a checkpoint: learner, players, ladder results and session. Self-play games with their search trees,
    /// matches in progress and the replay buffer are not saved, since they would take up to 2 GiB.
    pub(super) fn bytes(&self, run: &Run) -> Vec<u8> {
        let mut tensors = self.training.learner.save();
        tensors
            .push(flat(ROLLBACKS, TensorData::U64(vec![self.guard.rollbacks().min(MAX_ROLLBACKS).into()])));
        tensors.extend(networks::save(&self.pool));
        let more = json!({
            BEST_UPDATES: self.pool.best.updates,
            LADDER: self.ladder_rows,
            SESSION: self.session.to_saved(),
        });
        checkpoint::write(&self.header(run, more), &tensors)
    }

    fn header(&self, run: &Run, more: Value) -> Header {
        run.header(self.training.learner.counters().decisions, more)
    }

    /// Restores the state from a checkpoint whose config is complete and valid. A network file, which contains only
    /// weights, starts a new run with these weights. Returns the state and notices for the user; an invalid session or
    /// ladder is dropped with a notice.
    ///
    /// # Errors
    /// [`LabError`] if the learner's state is invalid.
    pub(super) fn open(header: &Header, mut found: Tensors) -> Result<(Self, Vec<String>), LabError> {
        found.check_min_values(least_weights(read(&header.config)?.size()))?;
        let mut opened = Self::new(&header.config, header.seed)?;
        let model = opened.training.learner.save();
        let rollbacks = flat(ROLLBACKS, TensorData::U64(vec![0]));
        if found.contains(ROLLBACKS) {
            let tensors = found.take_like(&model)?;
            let rollbacks = found.take_like(&[rollbacks])?;
            opened.pool.earlier = networks::take_earlier(&mut found, opened.training.learner.newest())?;
            opened.pool.opened = networks::take_opened(&mut found)?;
            found.finish()?;
            opened.training.learner = AlphaZero::restore(read(&header.config)?, header.seed, &tensors)?;
            if let Some(TensorData::U64(count)) = rollbacks.into_iter().next().map(|tensor| tensor.values) {
                let generations = opened.training.learner.counters().generations;
                let count = count[0].min(MAX_ROLLBACKS.into());
                opened.guard = guard(&opened.training.learner).with_rollbacks(count, generations);
            }
        } else {
            let tensors = found.take_like(&opened.training.learner.save_best())?;
            found.finish()?;
            opened.training.learner.adopt_best(&tensors)?;
            opened.guard = guard(&opened.training.learner);
        }
        opened.pool.copy_networks(&opened.training.learner);
        let mut notices = opened.restore_header_fields(&header.more);
        if opened.training.learner.counters().samples > 0 {
            notices.push(RESTART_NOTICE.into());
        }
        Ok((opened, notices))
    }

    /// Restores the header fields [`BEST_UPDATES`], [`LADDER`] and [`SESSION`]; files of older program versions lack
    /// some of them. Drops invalid fields and returns a notice for each of them.
    fn restore_header_fields(&mut self, more: &Value) -> Vec<String> {
        let mut notices = Vec::new();
        let mut lacks = |what: &str, instead: &str, error: &LabError| {
            notices.push(format!(
                "{what} of this file could not be restored: {error}. The network was restored; {instead}."
            ));
        };
        if let Some(updates) = more[BEST_UPDATES].as_u64() {
            self.pool.best.updates = updates;
        }
        if !more[LADDER].is_null() {
            match ladder::parse_rows::<G>(&more[LADDER], MAX_ROWS) {
                Ok(ladder_rows) => self.ladder_rows = ladder_rows,
                Err(error) => lacks("The ladder results", "the ladder starts empty", &error),
            }
        }
        if !more[SESSION].is_null() {
            let saved = SavedState::deserialize(&more[SESSION])
                .map_err(|error| LabError::checkpoint(error.to_string()))
                .and_then(|saved| GameSession::from_saved(self.training.learner.seed(), saved, &self.pool));
            match saved {
                Ok(session) => self.session = session,
                Err(error) => lacks("The table", "a new game was started", &error),
            }
        }
        notices
    }

    /// Returns a reply with a network file: the best network or, before the first promotion, the newest network. The
    /// user downloads the file.
    pub(super) fn export(&self, run: &Run) -> Reply {
        network_file::network_file(
            &self.header(run, Value::Null),
            &network_tensors(self.training.learner.player()),
        )
    }
}

/// Rollback policy after divergence. Its intervals are in training generations (self-play, then gradient steps).
const ROLLBACK_POLICY: RollbackPolicy = RollbackPolicy {
    interval: 1,
    steady: 8,
    learning_rates: ["learning.learning_rate", "learning.final_learning_rate"],
};

/// Creates the rollback guard of a run, with the current state of `learner` as the state to return to after a
/// divergence.
fn guard<G: TableGame>(learner: &AlphaZero<G>) -> RollbackGuard<Vec<Tensor>> {
    RollbackGuard::new(learner.save(), learner.counters().generations, ROLLBACK_POLICY)
}

/// Reads the best network of a run from its checkpoint, or the network of a network file.
///
/// # Errors
/// [`LabError`] if the file is invalid.
pub(super) fn player_of<G: TableGame>(bytes: &[u8]) -> Result<PlayerNetwork<G>, LabError> {
    let (header, tensors) = network_file::open_network(&schema::<G>(), bytes)?;
    Ok(PlayerNetwork { network: Arc::new(network_of(&header, tensors)?), updates: 0 })
}

/// Returns the best network of a run from the header and the tensors of its checkpoint, or the network of a network
/// file. The config in the header must be complete and validated.
///
/// # Errors
/// [`LabError`] naming the invalid tensor.
pub(super) fn network_of<G: TableGame>(
    header: &Header,
    tensors: Tensors,
) -> Result<AlphaZeroNetwork<G>, LabError> {
    let config = read(&header.config).map_err(LabError::in_checkpoint)?;
    tensors.check_min_values(least_weights(config.size()))?;
    let model =
        AlphaZeroNetwork::new(config.size(), 0).map_err(|error| LabError::checkpoint(error.to_string()))?;
    Ok(read_network(&model, &tensors.into_vec())?.0)
}
