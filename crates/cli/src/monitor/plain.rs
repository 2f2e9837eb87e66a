//! How a run is doing, once, as plain lines: for a pipe, a log, or a screen reader.

use super::watch::Watch;
use crate::measures::Measures;
use crate::text;

/// The lines.
pub fn summary(watch: &Watch) -> String {
    let status = &watch.status;
    let unit = watch.measures.unit();
    let goal = status.goal_steps.map_or(String::new(), |goal| format!(" of {}", text::whole(goal)));
    let mut lines = vec![
        format!("{}, seed {}: {}", watch.about.experiment, watch.about.seed, watch.state()),
        format!("  {:<22} {}{goal}", unit, text::whole(status.steps)),
    ];
    if watch.measures == Measures::Returns {
        lines.push(format!("  {:<22} {}", "episodes", text::whole(status.episodes)));
        lines.push(format!("  {:<22} {}", "updates", text::whole(status.updates)));
    }
    lines.push(format!("  {:<22} {}", "trained for", text::duration(status.elapsed)));
    lines.push(format!("  {:<22} {}", format!("{unit}/s"), text::number(status.speed)));
    lines.extend(
        phase_shares(watch)
            .into_iter()
            .map(|(name, share)| format!("  {:<22} {share:.0} % of the time", name)),
    );
    for curve in &watch.curves {
        lines.push(format!("  {:<22} {} {}", curve.label, text::number(curve.curve.last()), curve.unit));
    }
    if !status.notice.is_empty() {
        lines.push(format!("  {}", status.notice));
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Phases and their shares of the time in percent, the largest first.
pub fn phase_shares(watch: &Watch) -> Vec<(String, f64)> {
    let sum: f64 = watch.status.phases.iter().map(|(_, seconds)| seconds).sum();
    let share = |seconds: f64| if sum > 0.0 { 100.0 * seconds / sum } else { 0.0 };
    let mut shares: Vec<_> =
        watch.status.phases.iter().map(|(name, seconds)| (name.clone(), share(*seconds))).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares
}
