//! What a person asks of a running experiment.

#[cfg(feature = "cube")]
use super::cube::{CubePlayer, CubeSolver};
#[cfg(feature = "games")]
use super::games::{DiceMode, GamePlayer, GamePosition};
use serde::{Deserialize, Serialize};

/// What a person may ask of a running experiment. One that another kind of experiment knows is refused; in a module of the
/// page, which holds one kind alone, it is not even understood.
///
/// Places on a logic CA's stage are counted in cells from its upper left corner, columns first; a cell's middle lies
/// half a cell further.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Command {
    /// Sets fields of the config while the run goes on: dotted path and value, such as `world.gravity` and `12`.
    /// Only fields marked live may be set so.
    Set {
        /// Dotted path to the field.
        path: String,
        /// The new value.
        #[cfg_attr(test, ts(type = "unknown"))]
        value: serde_json::Value,
    },
    /// Pushes one of the shown environments with a force in the world's unit for one step's time (a disturbance).
    #[cfg(feature = "control")]
    Push {
        /// Index of the environment; `None` pushes all of them.
        member: Option<u32>,
        /// Signed force (torque for the pendulum), as a multiple of the strongest action.
        force: f32,
    },
    /// Starts the episodes of the shown environments anew.
    #[cfg(feature = "control")]
    ResetHerd,
    /// Gives the stage another size. What is on it stays in the middle, as far as there is room.
    #[cfg(feature = "logic-ca")]
    ResizeStage {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// How fast the stage goes; 0 holds it.
    #[cfg(feature = "logic-ca")]
    StageSpeed {
        /// Steps per second of view time; `None`: as many as there is time for.
        steps_per_second: Option<f32>,
    },
    /// The share of the stage's cells that are updated in a step.
    #[cfg(feature = "logic-ca")]
    StageFire {
        /// From 0 to 1; 1 updates all cells together.
        rate: f32,
    },
    /// Takes steps of the stage, whatever its speed.
    #[cfg(feature = "logic-ca")]
    StepStage {
        /// How many.
        steps: u32,
    },
    /// Starts the stage anew.
    #[cfg(feature = "logic-ca")]
    ResetStage {
        /// How it looks then.
        start: StageStart,
    },
    /// Sets all cells of the stage to zero.
    #[cfg(feature = "logic-ca")]
    ClearStage,
    /// Draws a stroke on the stage: over all cells whose middle is no further from it than its radius, and over the one
    /// at each of its ends.
    #[cfg(feature = "logic-ca")]
    Brush {
        /// Where the stroke begins.
        from: [f32; 2],
        /// Where it ends.
        to: [f32; 2],
        /// In cells.
        radius: f32,
        /// What becomes of the cells.
        paint: Paint,
        /// The channel that is painted; `None`: all of them, and those that the target has where it is to draw.
        channel: Option<u32>,
    },
    /// Puts one of the known patterns of Life on the stage, with its middle at a cell.
    #[cfg(feature = "logic-ca")]
    Place {
        /// Its name.
        pattern: String,
        /// Column of the cell.
        x: u32,
        /// Row of the cell.
        y: u32,
    },
    /// Learns another pattern from now on. The gates stay as they are.
    #[cfg(feature = "logic-ca")]
    SetTarget {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// 1, or 3 for red, green and blue.
        channels: u32,
        /// 0 or 1 for every channel, row and column, in this order, columns last.
        cells: Vec<u8>,
    },
    /// Runs the circuit of a JSON file on the stage instead of the one that is learnt.
    #[cfg(feature = "logic-ca")]
    OpenCircuit {
        /// The text of the file.
        json: String,
    },
    /// Runs the circuit that is learnt on the stage again.
    #[cfg(feature = "logic-ca")]
    UseLearntCircuit,
    /// Makes a file of what there is.
    #[cfg(feature = "logic-ca")]
    Export {
        /// Which.
        format: ExportFormat,
    },
    /// Begins a game.
    #[cfg(feature = "games")]
    NewGame {
        /// Who sits at seat 0 and at seat 1; others than before sit down at no points.
        seats: [GamePlayer; 2],
        /// Whose turn is first; `None`: whoever throws the higher die in backgammon, the two by turns in Connect Four.
        first: Option<u8>,
    },
    /// Lets others go on with the game on the table; they sit down at no points.
    #[cfg(feature = "games")]
    SetSeats {
        /// Who sits at seat 0 and at seat 1 from now on.
        seats: [GamePlayer; 2],
    },
    /// Puts a position on the table. The game goes on from there, with whoever sits there.
    #[cfg(feature = "games")]
    SetPosition {
        /// Which.
        position: GamePosition,
        /// Whose turn it is; `None`: what a match ID says, or as many moves of Connect Four do, and seat 0 otherwise.
        seat: Option<u8>,
        /// What is rolled; `None`: what a match ID says, or nothing yet.
        dice: Option<[u8; 2]>,
    },
    /// Rolls the dice that are waited for.
    #[cfg(feature = "games")]
    Roll {
        /// What they show, of an opening roll seat 0's first; `None`: as they fall.
        dice: Option<[u8; 2]>,
    },
    /// Moves a checker as one of the table's targets says, or drops a stone.
    #[cfg(feature = "games")]
    Move {
        /// As in [`GameTarget`](super::games::GameTarget).
        from: u8,
        /// As in [`GameTarget`](super::games::GameTarget).
        to: u8,
    },
    /// Takes back the last move of the turn under way.
    #[cfg(feature = "games")]
    UndoMove,
    /// Hands over the turn. Connect Four does so by itself.
    #[cfg(feature = "games")]
    ConfirmTurn,
    /// Goes back to before a turn of the history; the dice of turns that are played again fall as they did.
    #[cfg(feature = "games")]
    TakeBack {
        /// Counted as in the history; `None`: the last turn that a person played.
        turn: Option<u32>,
    },
    /// Gives the game up. A computer accepts no less than it expects to win.
    #[cfg(feature = "games")]
    Resign {
        /// Who does.
        seat: u8,
        /// What it costs: 1 up to what [`GameTable::most_lost`](super::games::GameTable::most_lost) says.
        points: u32,
    },
    /// Has a computer play at once what it thinks best so far, or make the next move of a cube's solution, whatever the
    /// pace.
    #[cfg(any(feature = "games", feature = "cube"))]
    MoveNow,
    /// What the dice fall by from now on, instead of by the seed of the run, which is the same for everybody. No die that has
    /// fallen changes.
    #[cfg(feature = "games")]
    SeedDice {
        /// Any number, the same one for the same dice.
        seed: u32,
    },
    /// How rolls come about from now on.
    #[cfg(feature = "games")]
    SetDiceMode {
        /// Which way.
        mode: DiceMode,
    },
    /// How long computers hold back what they have decided, and how long each move of a cube's solution takes.
    #[cfg(any(feature = "games", feature = "cube"))]
    SetPace {
        /// 0 to 60; `None`: until [`Command::MoveNow`].
        seconds: Option<f32>,
    },
    /// Who looks at a person's decisions. The analysis of the present one begins anew where that is changed; with more
    /// simulations it goes on.
    #[cfg(feature = "games")]
    SetAnalysis {
        /// A network; its simulations, 1 at least, are made for every decision.
        analyst: GamePlayer,
        /// Simulations in a second, 1 to 100,000; `None`: as many as there is time for.
        speed: Option<f32>,
    },
    /// Begins the analysis of the present decision anew, with what the network knows by now. Refused where nobody decides.
    /// To go deeper instead, ask for more simulations by [`Command::SetAnalysis`].
    #[cfg(feature = "games")]
    AnalyseAgain,
    /// Plays matches one after another, beside everything else, in place of those that were asked for before. The same
    /// player with one number of simulations after another shows what a search is worth.
    #[cfg(feature = "games")]
    StartMatches {
        /// Who plays whom; at most 16 matches.
        players: Vec<[GamePlayer; 2]>,
        /// Pairs of games in each.
        pairs: u32,
    },
    /// Stops the matches; what was played stays.
    #[cfg(feature = "games")]
    StopMatches,
    /// Opens the network of a checkpoint as [`GamePlayer::Opened`](super::games::GamePlayer::Opened) or
    /// [`CubePlayer::Opened`](super::cube::CubePlayer::Opened). Training is not touched.
    #[cfg(any(feature = "games", feature = "cube"))]
    OpenPlayer {
        /// The bytes of the file.
        #[serde(with = "serde_bytes")]
        #[cfg_attr(test, ts(type = "Uint8Array"))]
        bytes: Vec<u8>,
    },
    /// Makes a file of the best network so far (of cubes the newest), without what only training needs.
    #[cfg(any(feature = "games", feature = "cube"))]
    ExportPlayer,
    /// Turns a face of the cube on the table. What was taken back before is forgotten.
    #[cfg(feature = "cube")]
    Turn {
        /// One of [`CubeInfo::all_turns`](crate::info::CubeInfo::all_turns), such as `R'`.
        turn: String,
    },
    /// Makes turns as people write them: `R U2 F'`. All or none.
    #[cfg(feature = "cube")]
    Apply {
        /// At most 1,000 turns.
        turns: String,
    },
    /// Takes turns back, or makes those again that were taken back, until so many of the history are made.
    #[cfg(feature = "cube")]
    CubeStep {
        /// From 0, where the history began, to its length.
        to: u32,
    },
    /// Scrambles the cube on the table.
    #[cfg(feature = "cube")]
    Scramble {
        /// Random turns, 1 up to [`CubeInfo::largest_scramble`](crate::info::CubeInfo::largest_scramble); `None`: another
        /// cube is put on the table, in any state, each as likely as the others.
        moves: Option<u32>,
    },
    /// Puts a cube on the table that is given by its stickers.
    #[cfg(feature = "cube")]
    SetCube {
        /// 24 or 54 letters of `URFDLB`, in the order of [`CubeTable::stickers`](super::cube::CubeTable::stickers); those
        /// of colours (`WRGYOB`) will do, and blanks do no harm. The cube may be held in any way.
        stickers: String,
    },
    /// Puts a solved cube on the table.
    #[cfg(feature = "cube")]
    ResetCube,
    /// Has the cube on the table solved, from where it stands.
    #[cfg(feature = "cube")]
    Solve {
        /// By whom.
        by: CubeSolver,
    },
    /// Ends that. The moves that were made stay.
    #[cfg(feature = "cube")]
    StopSolving,
    /// Which network looks at the cube on the table, solves it and is evaluated.
    #[cfg(feature = "cube")]
    SetPlayer {
        /// Whose.
        player: CubePlayer,
    },
    /// Whether evaluations in all states go on beside training, one after another; at first they do not. When training rests, one
    /// is brought to its end.
    #[cfg(feature = "cube")]
    SetExam {
        /// Whether they do.
        on: bool,
    },
    /// Has the model write on where a prompt ends, in place of what it is writing. Refused before there is a tokenizer, and
    /// for a prompt that is longer than the model sees at once or has characters that it does not know.
    #[cfg(feature = "language")]
    Write {
        /// Empty: the beginning of a document.
        prompt: String,
        /// 0 to 2, as in [`LanguageSampling`](super::language::LanguageSampling).
        temperature: f32,
        /// Only so many of the likeliest tokens may be chosen; 0: all of them.
        top_k: u32,
        /// The most tokens that are written, 1 to 2,000.
        tokens: u32,
    },
    /// Has the model go on from another token in the text that is shown: what follows is given up. Refused for a text that is
    /// shown no longer, and a place or a token that there is not.
    #[cfg(feature = "language")]
    GoOn {
        /// Which text, as [`LanguageDesk::writing`](super::language::LanguageDesk::writing).
        writing: u32,
        /// The place in it, counted from 0.
        place: u32,
        /// The token that stands there from now on.
        token: u32,
        /// As in [`Command::Write`].
        temperature: f32,
        /// As in [`Command::Write`].
        top_k: u32,
        /// As in [`Command::Write`].
        tokens: u32,
    },
    /// Ends a person's text that is being written where it is. Once it has ended, the desk is given back to the samples.
    #[cfg(feature = "language")]
    StopWriting,
    /// What is written every so often from now on, as long as a person's text is not.
    #[cfg(feature = "language")]
    SetSamples {
        /// As in [`Command::Write`]. One that the model cannot read once it is there is replaced by none.
        prompt: String,
        /// 0 to 2.
        temperature: f32,
        /// Only so many of the likeliest tokens may be chosen; 0: all of them.
        top_k: u32,
        /// The most tokens that are written, 1 to 2,000.
        tokens: u32,
        /// Seconds of view time between two of them, 1 to 600; `None`: none are written.
        every_seconds: Option<f32>,
    },
}

impl Command {
    /// What it is called in JSON, such as `stage_speed`.
    #[must_use]
    pub fn name(&self) -> String {
        let json = serde_json::to_value(self).unwrap_or_default();
        json["kind"].as_str().unwrap_or_default().into()
    }
}

/// How a stage looks when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StageStart {
    /// As the boards that are learnt from.
    AsTrained,
    /// Every bit is drawn at random.
    Noise,
    /// Nothing but zeros.
    Zeros,
    /// All zero but the cell in the middle, which is 1 in all channels.
    Seed,
}

/// What a brush does to cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Paint {
    /// Sets them to 0.
    Erase,
    /// Sets every bit at random.
    Noise,
    /// Sets them to 1.
    Draw,
    /// Turns 0 into 1 and 1 into 0.
    Invert,
}

/// A file that a logic CA can be made into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// The stage's circuit, simplified, as JSON; [`Command::OpenCircuit`] reads it.
    Json,
    /// The same as a Verilog module.
    Verilog,
    /// A moving picture of the hard circuit from the start to some steps beyond those that it learns for.
    Gif,
}

/// The answer to a [`Command`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reply {
    /// It was done.
    Done,
    /// A file for the person to keep.
    File {
        /// What to call it, with its ending.
        name: String,
        /// Its media type.
        mime: String,
        /// Its bytes.
        #[serde(with = "serde_bytes")]
        #[cfg_attr(test, ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: Vec<u8>,
    },
}
