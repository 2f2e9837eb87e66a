//! What a network makes of cubes: of all states at each distance, or of random ones.

use super::Subject;
use crate::{terminal, text};
use serde_json::json;
use vivarium_lab::protocol::CubeEvaluation;

/// Tells it as a table, or as one line of JSON.
pub fn tell(subject: &Subject, evaluation: &CubeEvaluation) {
    if subject.args.json {
        terminal::out(&subject.json(json!({ "evaluation": evaluation })));
        return;
    }
    let CubeEvaluation { cubes, solved, mean_length, mean_excess, width, .. } = evaluation;
    let how = match width {
        None => format!("all {} states, each by the best move again and again", text::whole(*cubes)),
        Some(width) => format!("{}, with a beam of {width}", text::count(*cubes, "random cube")),
    };
    let title = &subject.info.title;
    let mut lines =
        vec![format!("{title}: {how}, after {} samples of training", text::whole(subject.trained))];
    lines.push(format!("  solved       {:>9}", text::share(*solved)));
    if let Some(moves) = mean_length {
        lines.push(format!("  mean length  {moves:>9.2}   quarter turns"));
    }
    if let Some(excess) = mean_excess {
        lines.push(format!("  beyond best  {excess:>9.3}   on average"));
    }
    if !evaluation.depths.is_empty() {
        lines.push("  distance     states   solved          beyond the fewest".into());
    }
    for depth in &evaluation.depths {
        let share = depth.solved as f64 / depth.known.max(1) as f64;
        let excess = depth.mean_excess.map_or("–".into(), |excess| format!("{excess:.3}"));
        lines.push(format!(
            "  {:>8} {:>10}   {:<14}  {excess}",
            depth.distance,
            depth.states,
            text::share(share)
        ));
    }
    let lost: u64 = evaluation.cycles.iter().map(|cycle| cycle.states).sum();
    if let (Some(first), Some(last)) = (evaluation.cycles.first(), evaluation.cycles.last()) {
        lines.push(format!(
            "  {} end in cycles of {} to {} moves",
            text::count(lost, "state"),
            first.length,
            last.length
        ));
    }
    terminal::out(&lines.join("\n"));
}
