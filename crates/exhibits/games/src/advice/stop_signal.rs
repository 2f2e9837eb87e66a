//! Stop signal of searches: one thread stops the searches that another thread runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Stop signal of numbered searches. Clones share one signal. A stop concerns the searches that were requested before it,
/// also if they have not started yet, and no later search.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    /// Number of requested searches.
    requested: Arc<AtomicU64>,
    /// Number of searches, in the order of the requests, that have to stop.
    stopped: Arc<AtomicU64>,
    /// Number of finished searches.
    finished: Arc<AtomicU64>,
}

impl StopSignal {
    /// Counts a requested search.
    pub fn request(&self) {
        self.requested.fetch_add(1, Ordering::SeqCst);
    }

    /// Stops all searches that have been requested.
    pub fn stop(&self) {
        self.stopped.store(self.requested.load(Ordering::SeqCst), Ordering::SeqCst);
    }

    /// Counts a finished search.
    pub fn finish(&self) {
        self.finished.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns whether the search in progress has to stop. Without requests, the result is `false`.
    pub fn is_stopped(&self) -> bool {
        self.finished.load(Ordering::SeqCst) < self.stopped.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_concerns_earlier_requests_only() {
        let signal = StopSignal::default();
        assert!(!signal.is_stopped());
        signal.stop();
        signal.request();
        assert!(!signal.is_stopped(), "the stop came before the request");
        signal.request();
        signal.stop();
        signal.request();
        for stopped in [true, true, false] {
            assert_eq!(signal.is_stopped(), stopped);
            signal.finish();
        }
        assert!(!signal.is_stopped());
    }
}
