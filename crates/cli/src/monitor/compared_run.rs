//! Run of `vivarium monitor`.

use super::run_monitor::RunMonitor;

/// Monitored run, or run whose curves are drawn beside the curves of the monitored run.
pub struct ComparedRun {
    /// Name of the run in the legend: the path of its folder.
    pub name: String,
    /// Files of the run.
    pub monitor: RunMonitor,
}
