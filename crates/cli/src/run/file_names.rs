//! Names of the files in run folders.

use super::files::{BEST, LATEST};
use super::{events, monitor_file};
use std::ffi::OsStr;

pub(super) const METADATA: &str = "run.json";
pub(super) const CONFIG: &str = "config.json";
pub(super) const METRICS: &str = "metrics.jsonl";
pub(super) const LOCK: &str = ".lock";
/// Numbered checkpoints; `*` stands for the number of training steps.
pub(super) const NUMBERED: &str = "checkpoint-*.safetensors";
/// Prefix of the names of checkpoints that are set aside.
const EARLIER: &str = "earlier-";

/// Files of a run folder with their contents; `*` stands for any characters.
pub const RUN_FILES: [(&str, &str); 11] = [
    (METADATA, "metadata: experiment, seed, and a record of each training session"),
    (CONFIG, "complete config at the start of the run; valid for --config"),
    (LATEST, "latest checkpoint; --resume continues from it"),
    (BEST, "checkpoint with the best evaluation; missing before the first evaluation"),
    (
        "earlier-best.safetensors",
        "best checkpoint before the last change of the task, such as of world.gravity, or later than the resumed step",
    ),
    (NUMBERED, "checkpoints of the last evaluations, by training steps, with --keep-checkpoints"),
    (
        "earlier-checkpoint-*.safetensors",
        "checkpoints of the last evaluations that were later than the resumed step",
    ),
    (METRICS, "metric rows, one JSON object per line"),
    (events::FILES, "metric rows for TensorBoard, one file per session"),
    (monitor_file::FILE, "status and newest row, for vivarium monitor"),
    (LOCK, "locked while a process trains in the folder"),
];

/// Returns whether `name` is the name of a file in run folders.
pub(super) fn is_file_of_run(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| RUN_FILES.iter().any(|(pattern, _)| wildcard(pattern, name).is_some()))
}

/// Returns the name of a checkpoint with the file name `name` after it has been set aside.
pub(super) fn earlier_name(name: &str) -> String {
    format!("{EARLIER}{name}")
}

/// Returns the name of the numbered checkpoint after `steps` training steps.
pub(super) fn numbered_name(steps: u64) -> String {
    NUMBERED.replace('*', &steps.to_string())
}

/// Returns the number of training steps in the name of a numbered checkpoint; `None` for any other name.
pub(super) fn numbered_steps(name: &OsStr) -> Option<u64> {
    wildcard(NUMBERED, name.to_str()?)?.parse().ok()
}

/// Returns the part of `name` in place of the `*` of `pattern`, which is empty if `pattern` has none; `None` if `name` does
/// not match.
fn wildcard<'a>(pattern: &str, name: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        Some((prefix, suffix)) => name.strip_prefix(prefix)?.strip_suffix(suffix),
        None => (pattern == name).then_some(""),
    }
}
