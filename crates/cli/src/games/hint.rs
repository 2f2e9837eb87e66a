//! `vivarium hint`: ranked plays of a backgammon position, or the cube decision before the roll.

use super::adviser::Adviser;
use super::network::TrainedNetwork;
use super::plays_table::plays_table;
use super::roll::parse_roll;
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::terminal;
use crate::values::whole;
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, SelfPlayGame};
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::doubling::{CUBE_LIFE, CubeAction, CubeContext, CubeDecision};
use vivarium_envs::backgammon::{CubeOwner, Match, Outcome, Position, Roll, Setup, State, TurnPhase, Xgid};

/// Command-line arguments of `vivarium hint`.
#[derive(Args, Debug)]
#[command(
    after_help = "With dice, the plays are ranked by cubeless money equity. Before the roll, the cube decision is computed from cubeless probabilities by Janowski's formula."
)]
pub struct HintArgs {
    /// Position: an XGID, or a position ID with an optional match ID, such as 4HPwATDgc/ABMA:cAkAAAAAAAAA
    pub position: String,
    /// Roll, such as 64 [default: the roll of the XGID or match ID, or a cube decision]
    #[arg(long, value_name = "DICE", value_parser = parse_roll)]
    pub dice: Option<Roll>,
    /// Checkpoint file [default: the network of the program]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Search simulations per play; 0 disables the search
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 200, value_parser = whole(0u32, 1_000_000))]
    pub simulations: u32,
}

/// Runs `vivarium hint`.
///
/// # Errors
/// [`CliError::Usage`] for an invalid position; [`CliError::Failed`] if the checkpoint is invalid.
pub fn run(args: &HintArgs) -> Result<(), CliError> {
    let Setup { position, state } = Setup::parse(&args.position)
        .map_err(|error| CliError::usage(format!("position {}: {error}", args.position)))?;
    if position.outcome().is_some() {
        return Err(CliError::usage("position: the game is over; both players need checkers on the board"));
    }
    let mut state = state.unwrap_or(Match::MONEY);
    if args.dice.is_some() {
        state.roll = args.dice;
    }
    let file = CheckpointFile::open(args.checkpoint.as_deref(), State::NAME)?;
    let trained = TrainedNetwork::<State>::read(&file)?;
    let mut player = NetworkPlayer::new(trained.network, args.simulations).map_err(CliError::failed_by)?;
    // An XGID keeps its limit of the cube.
    let xgid = Xgid::parse(&args.position).unwrap_or_else(|_| Xgid::new(position, state));
    let header = header(&Xgid { state, ..xgid });
    let body = match state.roll {
        Some(roll) => {
            let advice = player.advise(&position, roll).map_err(CliError::failed)?;
            let search = match args.simulations {
                0 => "Equity and probabilities without a search".to_owned(),
                simulations => {
                    format!("Equity by a search of {simulations} simulations; probabilities without a search")
                }
            };
            format!("{}\n{search}; cubeless money play.", plays_table(&position, &advice))
        }
        None => {
            let probabilities = probabilities_before_roll(&mut player, &position);
            cube_text(probabilities, &state)
        }
    };
    terminal::print_line(&format!("{header}\n\n{body}"));
    Ok(())
}

/// Returns the outcome probabilities of the player on roll before the roll: the mean over the 21 rolls, each with the
/// best play by the network's equity.
fn probabilities_before_roll(
    player: &mut NetworkPlayer<State, Arc<AlphaZeroNetwork<State>>>,
    position: &Position,
) -> [f32; 5] {
    let mut mean = [0.0; 5];
    for roll in Roll::ALL {
        let state = State { position: *position, phase: TurnPhase::Play(roll), player: 0 };
        let turns = player.evaluated_turns(&state);
        let best = turns.iter().max_by(|a, b| a.equity.total_cmp(&b.equity));
        for (mean, head) in mean.iter_mut().zip(best.map_or([0.0; 5], |best| best.heads)) {
            *mean += roll.probability() * head;
        }
    }
    mean
}

/// Formats the lines above the result: XGID, pips, score and cube.
fn header(xgid: &Xgid) -> String {
    let Xgid { position, state, .. } = xgid;
    let [mine, theirs] = [position.mine(), position.theirs()].map(|side| side.pips());
    let me = usize::from(state.on_roll & 1);
    let game = match (state.length, state.crawford) {
        (0, _) if state.without_jacoby => "money game without the Jacoby rule".to_owned(),
        (0, _) => "money game with the Jacoby rule".to_owned(),
        (length, crawford) => format!(
            "match to {length}, score {}-{}{}",
            state.score[me],
            state.score[1 - me],
            if crawford { ", Crawford game" } else { "" }
        ),
    };
    let owner = match state.cube_owner {
        CubeOwner::Centered => "in the center",
        CubeOwner::Player(player) if player == state.on_roll => "owned by the player on roll",
        CubeOwner::Player(_) => "owned by the opponent",
    };
    format!(
        "{xgid}\n{}:{}\nPlayer on roll: {mine} pips, opponent: {theirs} pips; {game}; cube {} {owner}",
        position.id(),
        state.id(),
        1u32 << state.cube_exponent,
    )
}

/// Formats the cube decision of the player on roll.
fn cube_text(probabilities: [f32; 5], state: &Match) -> String {
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] =
        probabilities.map(|probability| 100.0 * probability);
    let mut text = format!(
        "cubeless equity {:+.3}; win {win:.1} %, gammon {gammon:.1} %, backgammon {backgammon:.1} %; loss {:.1} %, gammon \
         {lost_gammon:.1} %, backgammon {lost_backgammon:.1} %\n",
        Outcome::equity(probabilities),
        100.0 - win
    );
    let context = match CubeContext::new(state) {
        Ok(context) => context,
        Err(error) => return format!("{text}{error}"),
    };
    let decision = CubeDecision::new(probabilities, &context, CUBE_LIFE);
    let double = if context.is_redouble() { "redouble" } else { "double" };
    for (action, equity) in [
        (format!("no {double}"), decision.no_double),
        (format!("{double}, take"), decision.double_take),
        (format!("{double}, pass"), decision.double_pass),
    ] {
        let _ = write!(text, "\n{action:<28} {equity:>+7.3}");
    }
    let best = match decision.action() {
        CubeAction::NoDouble => format!("no {double}, take"),
        CubeAction::DoubleTake => format!("{double}, take"),
        CubeAction::DoublePass => format!("{double}, pass"),
        CubeAction::TooGood => format!("too good to {double}, pass"),
    };
    let _ = write!(
        text,
        "\nBest: {best}\n\nThe network is cubeless. Cube equities are computed by Janowski's formula with cube life \
         {CUBE_LIFE}, per value of the cube.",
    );
    text
}
