//! Command-line arguments of `vivarium play`.

use crate::games::equity_table::EquityTableArgs;
use crate::values::whole;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use vivarium_envs::backgammon::doubling::MAX_MATCH_LENGTH;

/// Source of the dice: value of `--dice`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiceSource {
    /// Rolls of the program, from --seed
    Random,
    /// The user enters each roll of both sides, as on a real board
    Manual,
}

/// Command-line arguments of `vivarium play`.
#[derive(Args, Debug)]
#[command(
    after_help = "Enter moves as 13/8 6/5 in backgammon, and as columns from 1 to 7 in Connect Four; the command help lists all commands of the game.\n\nIn backgammon with --match, players double before the roll. The network plays at the score, as hint advises; opponents of --against make cubeless money plays. The opponent doubles, takes and passes by Janowski's formula from the cubeless probabilities of the network that gives hints, or of gnubg.\n\nIn backgammon with --dice manual, for a game on a real board, the program prompts for each roll of both sides: enter 31 or roll 31. In the prompt of the opening roll, your die comes first."
)]
pub struct PlayArgs {
    /// Name of the game: backgammon or connect-four [default: the game of --checkpoint, or else backgammon]
    #[arg(value_name = "GAME")]
    pub game: Option<String>,
    /// Checkpoint file or run folder, such as runs/backgammon-1-1; its network gives hints and is the default opponent [default: the network of the program]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Opponent: random, pips, pubeval, gnubg or gnubg-2ply in backgammon; random, minimax-2, -4, -6, -8 or solver in Connect Four; or a checkpoint [default: the network]
    #[arg(long, value_name = "OPPONENT")]
    pub against: Option<String>,
    /// Search simulations per decision of a network; 0 disables the search
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 800, value_parser = whole(0u32, 1_000_000))]
    pub simulations: u32,
    /// Dice: random, or manual to enter each roll of both sides (backgammon only; Connect Four has no dice)
    #[arg(long, value_enum, value_name = "SOURCE", default_value = "random", hide_possible_values = false)]
    pub dice: DiceSource,
    /// Random seed of the opponent, and in backgammon of the dice [default: random]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub seed: Option<u64>,
    /// Position of the first game, with the human player to decide or to move: an XGID or a position ID of backgammon, such as 4HPwATDgc/ABMA, or the moves of Connect Four, such as 4453 [default: the starting position]
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Match length in points, with the doubling cube and the Crawford rule; 0 is a money session with the doubling cube (backgammon only) [default: the match of an XGID or match ID in --position, else money games without the doubling cube]
    #[arg(long = "match", value_name = "POINTS", allow_negative_numbers = true, value_parser = whole(0u16, MAX_MATCH_LENGTH))]
    pub match_length: Option<u16>,
    /// Jacoby rule: gammons count only after a double; with --match 0 (backgammon only)
    #[arg(long)]
    pub jacoby: bool,
    /// File of the match equity table.
    #[command(flatten)]
    pub equity_table: EquityTableArgs,
    /// Record the games in a file whose name ends with .mat or .sgf, for analyze and for other programs; with --position only .sgf (backgammon only)
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Name of the human player in the file of --record
    #[arg(long, value_name = "NAME", default_value = "Player", requires = "record")]
    pub name: String,
    /// Do not print the equity losses of your plays and doubling decisions (backgammon only)
    #[arg(long)]
    pub no_comments: bool,
    /// Overwrite the existing file of --record
    #[arg(long, requires = "record")]
    pub force: bool,
}
