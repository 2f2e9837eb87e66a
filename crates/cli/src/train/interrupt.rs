//! Ctrl-C: the first asks a run to save and end, the second ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C (and for a polite request to end from the system). Where that cannot be had, the program still
/// works, and Ctrl-C ends it as it ends any other.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            crate::terminal::aside("\nvivarium: left at once; the last checkpoint on disk is whole");
            std::process::exit(130);
        }
    });
}

/// Whether somebody has asked.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
