//! CubeNetworks that look at the table: the one that learns, and one that was opened.

use super::training::CubeTraining;
use crate::protocol::CubePlayer;
use serde_json::Value;
use std::sync::Arc;
use vivarium_lab::error::LabError;

/// A network that does not change, and how much it had learned.
pub(crate) struct CubeNetworkSnapshot<N> {
    pub(crate) network: Arc<N>,
    pub(crate) updates: u64,
    pub(crate) samples: u64,
}

impl<N> Clone for CubeNetworkSnapshot<N> {
    fn clone(&self) -> Self {
        Self { network: self.network.clone(), updates: self.updates, samples: self.samples }
    }
}

/// A network of a file.
pub(crate) struct OpenedNetwork<N> {
    pub(crate) network: Arc<N>,
    /// The config that it was learned with.
    pub(crate) config: Value,
    /// Samples that it was learned from, as its file says.
    pub(crate) samples: u64,
}

/// All of them, and which one looks at the table.
pub(crate) struct CubeNetworks<L: CubeTraining> {
    newest: CubeNetworkSnapshot<L::Policy>,
    pub(crate) opened: Option<OpenedNetwork<L::Policy>>,
    player: CubePlayer,
}

impl<L: CubeTraining> CubeNetworks<L> {
    /// The learner's own.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be a copy.
    pub(crate) fn new(learner: &L) -> Result<Self, LabError> {
        Ok(Self { newest: newest(learner)?, opened: None, player: CubePlayer::Newest })
    }

    pub(crate) fn player(&self) -> CubePlayer {
        self.player
    }

    /// Has another network look at the table.
    ///
    /// # Errors
    /// [`LabError::Invalid`] where none has been opened.
    pub(crate) fn set_player(&mut self, player: CubePlayer) -> Result<(), LabError> {
        if player == CubePlayer::Opened && self.opened.is_none() {
            return Err(LabError::invalid("player", "opened", "no network has been opened yet"));
        }
        self.player = player;
        Ok(())
    }

    /// The network that looks at the table, as it was last taken over.
    pub(crate) fn present(&self) -> CubeNetworkSnapshot<L::Policy> {
        match (&self.opened, self.player) {
            (Some(opened), CubePlayer::Opened) => {
                CubeNetworkSnapshot { network: opened.network.clone(), updates: 0, samples: 0 }
            }
            _ => self.newest.clone(),
        }
    }

    /// Whether that is another one by now.
    pub(crate) fn is_behind(&self, learner: &L) -> bool {
        self.player == CubePlayer::Newest && self.newest.updates != learner.progress().updates
    }

    /// The same after taking over what was learned since.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be a copy.
    pub(crate) fn refreshed(&mut self, learner: &L) -> Result<CubeNetworkSnapshot<L::Policy>, LabError> {
        if self.is_behind(learner) {
            self.newest = newest(learner)?;
        }
        Ok(self.present())
    }

    /// The learner is another one, or in another state.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be a copy.
    pub(crate) fn taken_up(&mut self, learner: &L) -> Result<(), LabError> {
        self.newest = newest(learner)?;
        Ok(())
    }
}

fn newest<L: CubeTraining>(learner: &L) -> Result<CubeNetworkSnapshot<L::Policy>, LabError> {
    let progress = learner.progress();
    Ok(CubeNetworkSnapshot {
        network: Arc::new(learner.network()?),
        updates: progress.updates,
        samples: progress.steps,
    })
}
