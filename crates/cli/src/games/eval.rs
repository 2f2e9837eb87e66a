//! `vivarium eval` of a player: matches, and the equity that it loses by its decisions.

use super::matches;
use super::network::Trained;
use super::opponent::{Opponent, Playable};
use crate::command_line::EvalArgs;
use crate::failure::Failure;
use crate::{machine, terminal, text};
use serde_json::{Value, json};
use vivarium_agents::players::MatchScore;
use vivarium_graph::Cpu;

/// Games of a match if nothing else is asked for.
const GAMES: u32 = 1000;

/// Characters of the column with names.
const NAMES: usize = 24;

/// The network of a checkpoint against whoever the command line names.
///
/// # Errors
/// [`Failure`] as its parts have it.
pub fn run<G: Playable>(args: &EvalArgs) -> Result<(), Failure> {
    let simulations = args.simulations.unwrap_or(0);
    let opponents = match args.against.as_slice() {
        [] => Opponent::<G>::ladder(),
        names => names.iter().map(|name| Opponent::named(name, simulations)).collect::<Result<_, _>>()?,
    };
    let trained = Trained::<G>::read(&args.checkpoint)?;
    if let Some(path) = &args.network {
        trained.write_alone(path)?;
        // Beside the result, which may be read by a program.
        terminal::aside(&format!("Wrote {}.", path.display()));
    }
    let name = args.checkpoint.display().to_string();
    let player = Opponent::network(&name, trained.network.clone(), simulations);
    let cpu = Cpu::new(args.threads.map_or_else(machine::cores, usize::from));
    let games = args.games.unwrap_or(GAMES);
    let measures = vivarium_exhibits::measures(G::NAME).map_err(Failure::usage_by)?;
    if !args.json {
        let search = match simulations {
            0 => "without a search".to_owned(),
            simulations => format!("{simulations} simulations a decision"),
        };
        terminal::out(&format!(
            "{}: {} after {} of self-play, {search}\n{} {:>6}  {:<26} {:<26} {}",
            G::TITLE,
            trained.label(),
            measures.count(trained.steps()),
            text::column("against", NAMES),
            "games",
            "points a game",
            "won",
            if G::MAX_VALUE > 1.0 { "gammons won, lost" } else { "drawn" },
        ));
    }
    let mut matches = Vec::new();
    for opponent in &opponents {
        let score = matches::play(&cpu, [&player, opponent], games / 2, args.seed)?;
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
    terminal::out("Intervals of 95 % confidence, over pairs of games with the same dice and swapped seats");
    for (name, loss) in &losses {
        terminal::out(&format!(
            "{} loses {:.4} points a decision, {:.4} to {:.4}, and finds a best play in {:.0} % of {}",
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

/// A match in one line.
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
    fn whoever_plays_the_columns_stand() {
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
