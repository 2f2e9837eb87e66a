//! `vivarium analyze`: errors and luck of a recorded backgammon game or match.

use super::board_text::board_text;
use super::equity_table::EquityTableArgs;
use super::gnubg::{Gnubg, GnubgStrength};
use super::network::TrainedNetwork;
use super::record_file::{self, RecordFormat};
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::output_file::check_new;
use crate::terminal;
use crate::values::whole;
use clap::Args;
use std::path::PathBuf;
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::State;
use vivarium_exhibit_games::advice::{Adviser, DEFAULT_PLIES, DEFAULT_RECHECK_PLIES, MAX_PLIES, StopSignal};
use vivarium_exhibit_games::match_analysis::{AnalysisDepth, AnalysisEvaluator, MatchAnalysis};

/// Command-line arguments of `vivarium analyze`.
#[derive(Args, Debug)]
#[command(
    after_help = "Errors and luck are in millipoints: thousandths of a point, per value of the doubling cube. In a match, an equity of +1 or -1 is the match winning probability after a single game won or lost with the present doubling cube (EMG, as in GNU Backgammon). The error of a play is its loss of equity against the best play of the network (or of GNU Backgammon, with --by), at the score and with the doubling cube, as by hint --plies: Janowski's formula from cubeless probabilities. The error of a doubling decision is computed as by hint, from the same formula; bear-offs with at most six checkers a player are exact, and larger ones exact or estimates. Luck is the equity of the best play of a roll minus the mean over all rolls. The luck-adjusted result is the result minus the player's luck plus the opponent's luck: an unbiased estimate of the mean result with other rolls. Results are in points or, in a match, the match winning probability after the games, with the match equity table of met or --met: 100 % is a match won, as in show matchresult of GNU Backgammon. The estimate can be less than 0 % or more than 100 %, if errors decide a short match or the network misjudges positions. Without --by, races use one-sided race rollouts instead of the network. The error rate is the mean error per decision, as in GNU Backgammon: plays with a choice, doubles, takes, passes, and decisions not to double that are wrong or close (a double costs less than 160 millipoints). PR, the performance rating of eXtreme Gammon, is half the error rate; that program counts some decisions in another way. The marks ?! (from 30), ? (from 60) and ?? (from 120 millipoints) are those of GNU Backgammon 1.07.\n\nActions whose error has a mark are evaluated again at --recheck plies; smaller errors, errors that the first depth does not find, and the luck keep the depth of --plies.\n\nWithout --by, all figures are evaluations by the network, not by a stronger program. The network of the program is weaker than GNU Backgammon: plays of strong players can have error rates of about 10. Compare players, check errors by rollout, or analyze --by gnubg-2ply if GNU Backgammon is installed: all cubeless probabilities, also in races, are then those of GNU Backgammon, and equities follow from them by the same formula. gnubg-2ply searches the plays within 0.16 of the best one, at most 8, and the play of the record; luck is measured without a search, as by default in GNU Backgammon. The last line of the text and the field evaluator of --json name the source.\n\n--worst N --xgids prints the positions of the N largest errors as a list: one XGID a line, with the roll of a play, without a roll for a double, with roll D for a take or pass. hint - reads the list, and rollout each of its lines: vivarium analyze match.mat --worst 10 --xgids | xargs -n 1 vivarium rollout"
)]
pub struct AnalyzeArgs {
    /// Record of a game, match or money session: a match text (.mat) of JellyFish, GNU Backgammon or eXtreme Gammon, or an SGF file of GNU Backgammon; play --record writes both
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Checkpoint file or run folder [default: the network of the program]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Search depth of expectimax in plies (rolls), 0 to 2; 0 is the network without a search
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = DEFAULT_PLIES, value_parser = whole(0u8, MAX_PLIES))]
    pub plies: u8,
    /// Search depth in plies at which plays and doubling decisions with a marked error are evaluated again, 0 to 2; a depth that is not greater than --plies disables this
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = DEFAULT_RECHECK_PLIES, value_parser = whole(0u8, MAX_PLIES))]
    pub recheck: u8,
    /// Evaluate by GNU Backgammon, which must be installed, instead of a network
    #[arg(long, value_enum, value_name = "PROGRAM", hide_possible_values = false, conflicts_with_all = ["checkpoint", "plies", "recheck"])]
    pub by: Option<GnubgStrength>,
    /// Number of the best plays that are listed for each play, with equities and probabilities; from 1, the text also has the equities of doubling decisions
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 0, value_parser = whole(0u32, 1_000))]
    pub candidates: u32,
    /// List the N largest errors only, with their XGIDs, instead of all actions
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "json", value_parser = whole(1u32, 10_000))]
    pub worst: Option<u32>,
    /// Draw the position of each error of --worst
    #[arg(long, requires = "worst")]
    pub board: bool,
    /// Print only the XGIDs of the errors of --worst, one a line, for hint - and rollout
    #[arg(long, requires = "worst", conflicts_with_all = ["board", "candidates"])]
    pub xgids: bool,
    /// List the actions or errors of this player only: a name of the record, or 1 or 2 [default: both players]
    #[arg(long, value_name = "NAME", conflicts_with = "json")]
    pub player: Option<String>,
    /// File of the match equity table.
    #[command(flatten)]
    pub equity_table: EquityTableArgs,
    /// Write the record to this file instead of the analysis; the name ends with .mat or .sgf
    #[arg(long, value_name = "FILE", conflicts_with_all = ["by", "xgids"])]
    pub convert: Option<PathBuf>,
    /// Overwrite the existing file of --convert
    #[arg(long, requires = "convert")]
    pub force: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Runs `vivarium analyze`.
///
/// # Errors
/// [`CliError::Failed`] if a file cannot be read or written, or the record or checkpoint is invalid; [`CliError::Usage`]
/// for an unknown format of `--convert`, if its file exists, or for a player that the record does not have.
pub fn run(args: &AnalyzeArgs) -> Result<(), CliError> {
    let format = args.convert.as_deref().map(|path| RecordFormat::of(path, "--convert")).transpose()?;
    let record = record_file::read(&args.file)?;
    if let (Some(path), Some(format)) = (&args.convert, format) {
        let has_setup = record.games.iter().any(|game| game.setup.is_some());
        format.check_setup(has_setup, path, "--convert")?;
        check_new("--convert", path, args.force)?;
        format.write(&record, path)?;
        terminal::print_message(&format!("Wrote {}.", path.display()));
        return Ok(());
    }
    let player = args.player.as_deref().map(|name| player_index(&record.players, name)).transpose()?;
    let equity_table = args.equity_table.table()?;
    equity_table.check_length(record.length, &args.file.display().to_string())?;
    let AnalysisAdviser { mut adviser, evaluator, depth, checkpoint } = AnalysisAdviser::new(args)?;
    let candidates = args.candidates as usize;
    let analysis = MatchAnalysis::new(record, equity_table.entries().clone(), candidates, depth);
    let mut analysis = analysis.with_evaluator(evaluator);
    while analysis.rate_next(adviser.as_mut()).map_err(CliError::failed)?.is_some() {}
    let report = match args.worst.map(|count| count as usize) {
        _ if args.json => {
            let document = analysis.document(checkpoint);
            serde_json::to_string(&document).map_err(CliError::failed_by)?
        }
        Some(count) if args.xgids => {
            for xgid in analysis.worst_positions(count, player) {
                terminal::print_line(&xgid.to_string());
            }
            return Ok(());
        }
        Some(count) => analysis.worst_text(count, player, args.board.then_some(&board_text)),
        None => analysis.text(player),
    };
    terminal::print_line(&report);
    Ok(())
}

/// Adviser of an analysis, with its description.
struct AnalysisAdviser {
    adviser: Box<dyn Adviser>,
    evaluator: AnalysisEvaluator,
    depth: AnalysisDepth,
    /// File of the network; `None` for the network of the program and for GNU Backgammon.
    checkpoint: Option<String>,
}

impl AnalysisAdviser {
    /// Starts GNU Backgammon, or reads the network.
    fn new(args: &AnalyzeArgs) -> Result<Self, CliError> {
        if let Some(strength) = args.by {
            let plies = strength.plies();
            return Ok(Self {
                adviser: Box::new(Gnubg::start(plies).map_err(CliError::failed)?),
                evaluator: AnalysisEvaluator::Gnubg,
                depth: AnalysisDepth { plies, recheck: plies },
                checkpoint: None,
            });
        }
        let file = CheckpointFile::open(args.checkpoint.as_deref(), State::NAME)?;
        let trained = TrainedNetwork::<State>::read(&file)?;
        let depth = AnalysisDepth { plies: args.plies, recheck: args.recheck };
        let adviser = depth.adviser(trained.network, StopSignal::default()).map_err(CliError::failed_by)?;
        Ok(Self {
            adviser: Box::new(adviser),
            evaluator: AnalysisEvaluator::Network,
            depth,
            checkpoint: file.path(),
        })
    }
}

/// Returns the index of the player with a name, or a number from 1.
fn player_index(players: &[String; 2], name: &str) -> Result<u8, CliError> {
    let is_named = |player: &str| player.to_lowercase() == name.to_lowercase();
    let [first, second] = players;
    match (is_named(first), is_named(second), name) {
        (true, false, _) | (false, false, "1") => Ok(0),
        (false, true, _) | (false, false, "2") => Ok(1),
        (true, true, _) => {
            Err(CliError::Usage(format!("--player {name}: both players have this name; use 1 or 2")))
        }
        (false, false, _) => Err(CliError::Usage(format!(
            "--player {name}: the record does not have this player; use {first}, {second}, 1 or 2"
        ))),
    }
}
