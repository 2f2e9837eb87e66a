//! Plain-text summary of a run, for pipes, log files and screen readers.

use super::run_monitor::{NamedCurve, RunMonitor, SPEED};
use crate::text;

/// Formats state, progress, speed, time profile, newest metric values and notice of a run as plain text.
pub fn summary(monitor: &RunMonitor) -> String {
    let status = &monitor.status;
    let unit = monitor.readings.unit;
    let goal = status.goal_steps.map_or(String::new(), |goal| format!(" of {}", text::whole(goal)));
    let mut rows = vec![(unit.to_owned(), format!("{}{goal}", text::whole(status.steps)))];
    rows.extend(["episodes", "updates"].into_iter().filter_map(|name| monitor.counter(name)));
    rows.push(("trained for".into(), text::duration(status.elapsed)));
    rows.push(("speed".into(), format!("{} {unit}/s", text::number(monitor.speed()))));
    let phases = phase_shares(monitor).into_iter();
    rows.extend(phases.map(|(name, share)| (name, format!("{share:.0} % of the time"))));
    // The speed is already listed above.
    let curves = monitor.curves.iter().filter(|curve| curve.name != SPEED);
    rows.extend(curves.map(|NamedCurve { label, unit, curve, .. }| {
        (label.clone(), format!("{} {unit}", text::number(curve.last())))
    }));
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let mut lines =
        vec![format!("{}, seed {}: {}", monitor.metadata.experiment, monitor.metadata.seed, monitor.state())];
    lines.extend(rows.iter().map(|(label, value)| format!("  {label:<width$}  {value}")));
    if !status.notice.is_empty() {
        lines.push(format!("  {}", status.notice));
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Returns the phases of the run, such as evaluation, with their shares of the session's duration in percent, in
/// descending order.
pub fn phase_shares(monitor: &RunMonitor) -> Vec<(String, f64)> {
    let sum: f64 = monitor.status.phases.iter().map(|(_, seconds)| seconds).sum();
    let share = |seconds: f64| if sum > 0.0 { 100.0 * seconds / sum } else { 0.0 };
    let mut shares: Vec<_> =
        monitor.status.phases.iter().map(|(name, seconds)| (name.clone(), share(*seconds))).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares
}
