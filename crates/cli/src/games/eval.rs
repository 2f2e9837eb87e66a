//! `vivarium eval` for board games: matches against opponents, and mean equity loss.

use super::network::TrainedNetwork;
use super::opponent::{Opponent, PlayableGame};
use super::parallel_match;
use crate::command_line::EvalArgs;
use crate::error::CliError;
use crate::{machine, terminal, text};
use serde_json::{Value, json};
use vivarium_agents::players::MatchScore;
use vivarium_graph::Cpu;

/// Default of `--games`: number of games per opponent.
const GAMES: u32 = 1000;

/// Width of the name column in characters.
const NAMES: usize = 24;

/// Plays matches between the network of a checkpoint and the opponents of the command line, and prints the results.
///
/// # Errors
/// [`CliError`] for an unavailable opponent or an invalid checkpoint.
pub fn run<G: PlayableGame>(args: &EvalArgs) -> Result<(), CliError> {
    let simulations = args.simulations.unwrap_or(0);
    let opponents = match args.against.as_slice() {
        [] => Opponent::<G>::ladder(),
        names => names.iter().map(|name| Opponent::named(name, simulations)).collect::<Result<_, _>>()?,
    };
    let trained = TrainedNetwork::<G>::read(&args.checkpoint)?;
    if let Some(path) = &args.export_weights {
        trained.export_weights(path)?;
        // The message goes to standard error, because a program may parse standard output.
        terminal::aside(&format!("Wrote {}.", path.display()));
    }
    let name = args.checkpoint.display().to_string();
    let player = Opponent::network(&name, trained.network.clone(), simulations);
    let cpu = Cpu::new(args.threads.map_or_else(machine::cores, usize::from));
    let games = args.games.unwrap_or(GAMES);
    let measures = vivarium_exhibits::measures(G::NAME).map_err(CliError::usage_by)?;
    if !args.json {
        let search = match simulations {
            0 => "without a search".to_owned(),
            simulations => format!("{simulations} simulations per decision"),
        };
        terminal::out(&format!(
            "{}: {} after {} of self-play, {search}\n{} {:>6}  {:<26} {:<26} {}",
            G::TITLE,
            trained.label(),
            measures.count(trained.steps()),
            text::column("against", NAMES),
            "games",
            "points per game",
            "won",
            if G::MAX_VALUE > 1.0 { "gammons won, lost" } else { "drawn" },
        ));
    }
    let mut matches = Vec::new();
    for opponent in &opponents {
        let score = parallel_match::play(&cpu, [&player, opponent], games / 2, args.seed)?;
        if !args.json {
            terminal::out(&row(&opponent.name, &score, G::MAX_VALUE > 1.0));
        }
        matches.push(json!({ "against": opponent.name, "score": score }));
    }
    let losses = G::losses(&player)?;
    if args.json {
        let value = json!({
            "experiment": G::NAME,
            "checkpoint": name,
            "network": trained.source.name(),
            "trained_steps": trained.steps(),
            "seed": args.seed,
            "simulations": simulations,
            "matches": matches,
            "equity_loss": losses.first().map_or(Value::Null, |(_, loss)| json!(loss)),
        });
        terminal::out(&value.to_string());
        return Ok(());
    }
    terminal::out("95 % confidence intervals, over pairs of games with the same dice and swapped seats");
    for (name, loss) in &losses {
        terminal::out(&format!(
            "{} equity loss {:.4} points per decision ({:.4} to {:.4}), best play in {:.0} % of {}",
            text::column(name, NAMES),
            loss.lost.mean,
            loss.lost.low,
            loss.lost.high,
            100.0 * loss.best,
            text::count(loss.decisions.into(), "rated decision"),
        ));
    }
    Ok(())
}

/// Formats the score of a match as a table row; `gammons` adds the gammon columns.
fn row(name: &str, score: &MatchScore, gammons: bool) -> String {
    let share = |count: u32| 100.0 * f64::from(count) / f64::from(score.games.max(1));
    let (points, won) = (score.points, score.win_rate);
    let more = if gammons {
        format!("{:.1} %, {:.1} %", share(score.gammons_won), share(score.gammons_lost))
    } else {
        format!("{:.1} %", share(score.draws))
    };
    let points = format!("{:+.3} ({:+.3} to {:+.3})", points.mean, points.low, points.high);
    let won = format!("{:.1} % ({:.1} to {:.1} %)", 100.0 * won.mean, 100.0 * won.low, 100.0 * won.high);
    let name = text::column(name, NAMES);
    format!("{name} {:>6}  {points:<26} {won:<26} {more}", score.games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_columns_are_aligned_for_any_opponent() {
        let score = MatchScore::of(&[[1.0, -1.0], [2.0, 1.0]]);
        let short = row("pubeval", &score, true);
        let place = |row: &str| row.chars().position(|c| c == '+' || c == '-').unwrap();
        for name in [
            "/home/somebody/runs/backgammon-1-1/best.safetensors",
            "läufe/läufe/läufe/läufe/läufe.safetensors",
        ] {
            let long = row(name, &score, true);
            let (first, rest) = long.split_at(long.find(' ').unwrap());
            assert!(first.starts_with('…') && name.ends_with(&first['…'.len_utf8()..]), "{long}");
            assert_eq!(rest.trim_start(), short["pubeval".len()..].trim_start());
            assert_eq!(long.chars().count(), short.chars().count());
        }
        assert_eq!(place(&short), place(&row(&"x".repeat(99), &score, true)));
    }
}
