//! What a person may do.

use super::{DiceMode, GamePlayer, GamePosition};
use serde::{Deserialize, Serialize};

/// What a person may do at a table of board games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GameCommand {
    /// Begins a game.
    NewGame {
        /// Who sits at seat 0 and at seat 1; others than before sit down at no points.
        seats: [GamePlayer; 2],
        /// Whose turn is first; `None`: whoever throws the higher die in backgammon, the two by turns in Connect Four.
        first: Option<u8>,
    },
    /// Lets others go on with the game on the table; they sit down at no points.
    SetSeats {
        /// Who sits at seat 0 and at seat 1 from now on.
        seats: [GamePlayer; 2],
    },
    /// Puts a position on the table. The game goes on from there, with whoever sits there.
    SetPosition {
        /// Which.
        position: GamePosition,
        /// Whose turn it is; `None`: what a match ID says, or as many moves of Connect Four do, and seat 0 otherwise.
        seat: Option<u8>,
        /// What is rolled; `None`: what a match ID says, or nothing yet.
        dice: Option<[u8; 2]>,
    },
    /// Rolls the dice that are waited for.
    Roll {
        /// What they show, of an opening roll seat 0's first; `None`: as they fall.
        dice: Option<[u8; 2]>,
    },
    /// Moves a checker as one of the table's targets says, or drops a stone.
    Move {
        /// As in [`GameTarget`](super::GameTarget).
        from: u8,
        /// As in [`GameTarget`](super::GameTarget).
        to: u8,
    },
    /// Takes back the last move of the turn under way.
    UndoMove,
    /// Hands over the turn. Connect Four does so by itself.
    ConfirmTurn,
    /// Goes back to before a turn of the history; the dice of turns that are played again fall as they did.
    TakeBack {
        /// Counted as in the history; `None`: the last turn that a person played.
        turn: Option<u32>,
    },
    /// Gives the game up. A computer accepts no less than it expects to win.
    Resign {
        /// Who does.
        seat: u8,
        /// What it costs: 1 up to what [`GameTable::max_loss`](super::GameTable::max_loss) says.
        points: u32,
    },
    /// Has a computer play at once what it thinks best so far, or make the next move of a cube's solution, whatever the
    /// pace.
    MoveNow,
    /// What the dice fall by from now on, instead of by the seed of the run, which is the same for everybody. No die that has
    /// fallen changes.
    SeedDice {
        /// Any number, the same one for the same dice.
        seed: u32,
    },
    /// How rolls come about from now on.
    SetDiceMode {
        /// Which way.
        mode: DiceMode,
    },
    /// How long computers hold back what they have decided, and how long each move of a cube's solution takes.
    SetPace {
        /// 0 to 60; `None`: until [`GameCommand::MoveNow`].
        seconds: Option<f32>,
    },
    /// Who looks at a person's decisions. The analysis of the present one begins anew where that is changed; with more
    /// simulations it goes on.
    SetAnalysis {
        /// A network; its simulations, 1 at least, are made for every decision.
        analyst: GamePlayer,
        /// Simulations in a second, 1 to 100,000; `None`: as many as there is time for.
        speed: Option<f32>,
    },
    /// Begins the analysis of the present decision anew, with what the network knows by now. Refused where nobody decides.
    /// To go deeper instead, ask for more simulations by [`GameCommand::SetAnalysis`].
    AnalyzeAgain,
    /// Plays matches one after another, beside everything else, in place of those that were asked for before. The same
    /// player with one number of simulations after another shows what a search is worth.
    StartMatches {
        /// Who plays whom; at most 16 matches.
        players: Vec<[GamePlayer; 2]>,
        /// Pairs of games in each.
        pairs: u32,
    },
    /// Stops the matches; what was played stays.
    StopMatches,
    /// Makes a file of the best network so far (of cubes the newest), without what only training needs.
    ExportPlayer,
}
