//! Time and changes of training sessions, and metadata of a run for tests.

use std::time::{SystemTime, UNIX_EPOCH};
use vivarium_lab::run_metadata::SessionRecord;

/// Returns the current time in seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// Returns whether the training session `session` changed a field of the config section `section`, such as `world`.
pub fn changes_section(session: &SessionRecord, section: &str) -> bool {
    session.changes.keys().any(|path| path.split_once('.').is_some_and(|(first, _)| first == section))
}

/// Returns the metadata of a run of CartPole on the CPU.
#[cfg(test)]
pub fn example_metadata() -> vivarium_lab::run_metadata::RunMetadata {
    use vivarium_lab::protocol::EngineInfo;
    use vivarium_lab::run_metadata::{RunMetadata, SessionLimits};
    let origin = crate::machine::provenance();
    let session = SessionRecord::begin(origin, EngineInfo::Cpu, 2, 1.5, 0, SessionLimits::default());
    RunMetadata::new("cartpole", 7, session)
}
