//! Networks for the interactive cube: the network in training and the network of an opened file.

use super::learner::CubeLearner;
use crate::protocol::CubePlayer;
use serde_json::Value;
use std::sync::Arc;
use vivarium_lab::error::LabError;

/// Immutable copy of a network, with the numbers of gradient steps and samples that it was trained on.
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

/// Network that the user has opened from a file, with its config and number of training samples.
pub(crate) struct OpenedNetwork<N> {
    pub(crate) network: Arc<N>,
    /// Config that the network was trained with.
    pub(crate) config: Value,
    /// Number of samples that the network was trained on, according to its file.
    pub(crate) samples: u64,
}

/// The networks between which the user chooses (network in training, opened network), and the user's choice.
pub(crate) struct CubeNetworks<L: CubeLearner> {
    newest: CubeNetworkSnapshot<L::Policy>,
    pub(crate) opened: Option<OpenedNetwork<L::Policy>>,
    player: CubePlayer,
}

impl<L: CubeLearner> CubeNetworks<L> {
    /// Stores a copy of the learner's network and selects this copy. No opened network (loaded from a file) exists yet.
    ///
    /// # Errors
    /// [`LabError`] if the network cannot be copied.
    pub(crate) fn new(learner: &L) -> Result<Self, LabError> {
        Ok(Self { newest: newest(learner)?, opened: None, player: CubePlayer::Newest })
    }

    pub(crate) fn player(&self) -> CubePlayer {
        self.player
    }

    /// Selects the network in training or the opened network.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if no network was opened.
    pub(crate) fn set_player(&mut self, player: CubePlayer) -> Result<(), LabError> {
        if player == CubePlayer::Opened && self.opened.is_none() {
            return Err(LabError::invalid("player", "opened", "no network has been opened yet"));
        }
        self.player = player;
        Ok(())
    }

    /// Returns the network that the user selected. If the network in training is selected, returns the stored copy,
    /// whose weights may be older than the learner's weights.
    pub(crate) fn selected(&self) -> CubeNetworkSnapshot<L::Policy> {
        match (&self.opened, self.player) {
            (Some(opened), CubePlayer::Opened) => {
                CubeNetworkSnapshot { network: opened.network.clone(), updates: 0, samples: 0 }
            }
            _ => self.newest.clone(),
        }
    }

    /// Returns whether the network in training is selected and the learner has newer weights than the stored copy.
    pub(crate) fn is_outdated(&self, learner: &L) -> bool {
        self.player == CubePlayer::Newest && self.newest.updates != learner.progress().updates
    }

    /// Returns the network that the user selected. If the network in training is selected and the stored copy has
    /// outdated weights, first copies the learner's weights.
    ///
    /// # Errors
    /// [`LabError`] if the network cannot be copied.
    pub(crate) fn refresh(&mut self, learner: &L) -> Result<CubeNetworkSnapshot<L::Policy>, LabError> {
        if self.is_outdated(learner) {
            self.newest = newest(learner)?;
        }
        Ok(self.selected())
    }

    /// Replaces the stored copy of the network in training by a copy of `learner`'s network, after a rollback. Copies
    /// even if the number of gradient steps is unchanged; [`refresh`](Self::refresh) would not.
    ///
    /// # Errors
    /// [`LabError`] if the network cannot be copied.
    pub(crate) fn replace_learner(&mut self, learner: &L) -> Result<(), LabError> {
        self.newest = newest(learner)?;
        Ok(())
    }
}

fn newest<L: CubeLearner>(learner: &L) -> Result<CubeNetworkSnapshot<L::Policy>, LabError> {
    let progress = learner.progress();
    Ok(CubeNetworkSnapshot {
        network: Arc::new(learner.network()?),
        updates: progress.updates,
        samples: progress.steps,
    })
}
