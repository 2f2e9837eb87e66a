//! `vivarium eval` for board games: matches against opponents, and mean equity loss.

use super::network::TrainedNetwork;
use super::opponent::{Opponent, PlayableGame};
use super::parallel_match;
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::eval::args::EvalArgs;
use crate::eval::family::EvalFamily;
use crate::eval::outcome::EvalOutcome;
use crate::text;
use crate::values::{games, whole};
use clap::{Args, Command};
use serde_json::{Value, json};
use vivarium_agents::each_game;
use vivarium_agents::players::MatchScore;
use vivarium_graph::Cpu;
use vivarium_lab::info::ExperimentInfo;

/// Options of `vivarium eval` for board games.
#[derive(Args, Debug)]
struct GamesEvalArgs {
    /// Opponent, such as pubeval, gnubg or a checkpoint; repeatable (board games only) [default: random, pips and
    /// pubeval in backgammon; random and minimax-2, -4 and -6 in Connect Four]
    #[arg(long, value_name = "OPPONENT")]
    against: Vec<String>,
    /// Number of games per opponent, even (board games only) [default: 1000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = games)]
    games: Option<u32>,
    /// Search simulations per decision; 0 disables the search (board games only) [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0u32, 1_000_000))]
    simulations: Option<u32>,
}

/// Part of `vivarium eval` that is specific to board games: matches against opponents.
pub struct GamesEval;

impl EvalFamily for GamesEval {
    fn kind(&self) -> &'static str {
        "games"
    }

    fn names(&self) -> [&'static str; 2] {
        ["board game", "board games"]
    }

    fn augment(&self, command: Command) -> Command {
        GamesEvalArgs::augment_args(command)
    }

    fn check(&self, args: &EvalArgs) -> Result<(), CliError> {
        args.check_no_engine()?;
        args.check_no_episodes("is evaluated by matches; set their number with --games")
    }

    fn evaluate(
        &self,
        args: &EvalArgs,
        info: &ExperimentInfo,
        print: &dyn Fn(&str),
    ) -> Result<EvalOutcome, CliError> {
        let found = each_game!(runner()).into_iter().find(|(name, _)| *name == info.name);
        let (_, run) = found.ok_or_else(|| {
            CliError::failed(format!("internal error: {} has no matches; please report this bug", info.name))
        })?;
        run(args, print)
    }
}

/// Default number of games per opponent, for `--games`.
const DEFAULT_GAMES: u32 = 1000;

/// Width of the opponents' names in the result table, in characters.
const NAME_WIDTH: usize = 24;

/// Function that evaluates a checkpoint of one game.
type Runner = fn(&EvalArgs, &dyn Fn(&str)) -> Result<EvalOutcome, CliError>;

/// Returns the name of game `G` and the function that evaluates its checkpoints.
fn runner<G: PlayableGame>() -> (&'static str, Runner) {
    (G::NAME, run::<G>)
}

/// Plays matches between the network of a checkpoint and the opponents of the command line, and prints the scores and
/// the mean equity losses by `print`: each score after its match.
///
/// # Errors
/// [`CliError`] if an opponent is unavailable, or the checkpoint is invalid.
fn run<G: PlayableGame>(args: &EvalArgs, print: &dyn Fn(&str)) -> Result<EvalOutcome, CliError> {
    let GamesEvalArgs { against, games, simulations } = args.families.of()?;
    let simulations = simulations.unwrap_or(0);
    let opponents = match against.as_slice() {
        [] => Opponent::<G>::defaults(),
        names => names.iter().map(|name| Opponent::named(name, simulations)).collect::<Result<_, _>>()?,
    };
    let file = CheckpointFile::open(args.checkpoint.as_deref(), G::NAME)?;
    let trained = TrainedNetwork::<G>::read(&file)?;
    let name = file.path().unwrap_or_else(|| format!("{} network", G::NAME));
    let player = Opponent::network(&name, trained.network.clone(), simulations);
    let cpu = Cpu::new(args.engine.threads());
    let games = games.unwrap_or(DEFAULT_GAMES);
    let readings = vivarium_exhibits::info(G::NAME).map_err(CliError::usage_by)?.readings;
    let search = match simulations {
        0 => "without a search".to_owned(),
        simulations => format!("{simulations} simulations per decision"),
    };
    print(&format!(
        "{}: {} after {} of self-play, {search}\n{} {:>6}  {:<26} {:<26} {}",
        G::TITLE,
        trained.label(),
        readings.count(trained.steps()),
        text::column("against", NAME_WIDTH),
        "games",
        "points per game",
        "won",
        if G::MAX_VALUE > 1.0 { "gammons won, lost" } else { "drawn" },
    ));
    let (mut matches, mut measures) = (Vec::new(), Vec::new());
    for opponent in &opponents {
        let score = parallel_match::play(&cpu, [&player, opponent], games / 2, args.seed)?;
        print(&score_row(&opponent.name, &score, G::MAX_VALUE > 1.0));
        measures.push((format!("points against {}", opponent.name), score.points.mean));
        matches.push(json!({ "against": opponent.name, "score": score }));
    }
    let losses = G::equity_losses(&player)?;
    print(&format!("95 % confidence intervals, over pairs of games with {}", G::PAIRED_BY));
    for (name, loss) in &losses {
        measures.push((format!("{name} equity loss"), loss.lost.mean));
        print(&format!(
            "{} equity loss {:.4} points per decision ({:.4} to {:.4}), best play in {:.0} % of {}",
            text::column(name, NAME_WIDTH),
            loss.lost.mean,
            loss.lost.low,
            loss.lost.high,
            100.0 * loss.best,
            text::count(loss.decisions.into(), "rated decision"),
        ));
    }
    let json = json!({
        "experiment": G::NAME,
        "checkpoint": file.path(),
        "network": trained.source.name(),
        "trained_steps": trained.steps(),
        "seed": args.seed,
        "simulations": simulations,
        "matches": matches,
        "equity_loss": losses.first().map_or(Value::Null, |(_, loss)| json!(loss)),
    });
    Ok(EvalOutcome { trained: trained.steps(), measures, json })
}

/// Formats the score of a match as a table row. The last column has the shares of won and lost gammons if `gammons`
/// is set, else the share of draws.
fn score_row(name: &str, score: &MatchScore, gammons: bool) -> String {
    let share = |count: u32| 100.0 * f64::from(count) / f64::from(score.games.max(1));
    let (points, won) = (score.points, score.win_rate);
    let more = if gammons {
        format!("{:.1} %, {:.1} %", share(score.gammons_won), share(score.gammons_lost))
    } else {
        format!("{:.1} %", share(score.draws))
    };
    let [mean, low, high] = [points.mean, points.low, points.high].map(|points| text::signed(points, 3));
    let points = format!("{mean} ({low} to {high})");
    let [mean, low, high] = [won.mean, won.low, won.high].map(|won| text::fixed(100.0 * won, 1));
    let won = format!("{mean} % ({low} to {high} %)");
    let name = text::column(name, NAME_WIDTH);
    format!("{name} {:>6}  {points:<26} {won:<26} {more}", score.games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_columns_are_aligned_for_any_opponent() {
        let score = MatchScore::of(&[[1.0, -1.0], [2.0, 1.0]], 3.0);
        let short = score_row("pubeval", &score, true);
        let place = |row: &str| row.chars().position(|c| c == '+' || c == '-').unwrap();
        for name in [
            "/home/somebody/runs/backgammon-1-1/best.safetensors",
            "läufe/läufe/läufe/läufe/läufe.safetensors",
        ] {
            let long = score_row(name, &score, true);
            let (first, rest) = long.split_at(long.find(' ').unwrap());
            assert!(first.starts_with('…') && name.ends_with(&first['…'.len_utf8()..]), "{long}");
            assert_eq!(rest.trim_start(), short["pubeval".len()..].trim_start());
            assert_eq!(long.chars().count(), short.chars().count());
        }
        assert_eq!(place(&short), place(&score_row(&"x".repeat(99), &score, true)));
    }
}
