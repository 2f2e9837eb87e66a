//! A run's checkpoints, and what is said where a file cannot be written.

use super::session::Session;
use crate::failure::Failure;
use vivarium_lab::checkpoint;

/// A file that still cannot be written is told of this often, in seconds.
const COMPLAIN: f64 = 60.0;

impl Session {
    /// Saves the newest state.
    pub(super) fn save(&mut self) -> Result<(), Failure> {
        let before = self.seconds();
        let bytes = self.experiment.save();
        let saved = self.folder.save_latest(&bytes);
        if saved.is_ok() {
            // A checkpoint may be of an iteration's start: the run goes on from there.
            self.saved_steps = checkpoint::read_header(&bytes).map_err(Failure::failed_by)?.steps;
        }
        self.spent("checkpoint", before);
        self.save.done(before, self.seconds());
        saved
    }

    /// Saves; where that fails, the last checkpoint is still there, and the run goes on.
    pub(super) fn try_save(&mut self) {
        let saved = self.save();
        self.report(saved);
    }

    /// Keeps the present state as the best one, which evaluated like this.
    pub(super) fn keep_best(&mut self, quality: f64) {
        let before = self.seconds();
        let saved = self.folder.save_best(self.experiment.save(), quality);
        if saved.is_ok() {
            self.best = Some(quality);
        }
        self.report(saved);
        self.spent("checkpoint", before);
    }

    /// Reports a file that could not be written; the run goes on and tries again. The same failure is reported once a minute.
    pub(super) fn report(&mut self, outcome: Result<(), Failure>) {
        let Err(failure) = outcome else { return };
        let why = failure.message().unwrap_or_default();
        let notice = format!("{why}; training goes on, and it will be tried again");
        let seconds = self.seconds();
        if self.status.notice != notice || seconds - self.complained >= COMPLAIN {
            self.display.say(&notice);
            self.status.notice = notice;
            self.complained = seconds;
        }
    }
}
