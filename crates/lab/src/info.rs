//! What a door may show about an experiment before it exists: its world, config fields, presets and metrics.

use crate::protocol::MetricInfo;
use crate::protocol::games::PlayerChoice;
use serde::Serialize;
use serde_json::Value;
pub use vivarium_config::{Field, FieldKind};

/// Everything about one experiment that does not change while it runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentInfo {
    /// The registered name, such as `mountain-car`.
    pub name: String,
    /// For a person, such as "Mountain car".
    pub title: String,
    /// One or two sentences: what happens here and what is hard about it.
    pub summary: String,
    /// What is special about its kind of world.
    pub world: WorldInfo,
    /// Every config field, in the order in which to show them.
    pub fields: Vec<Field>,
    /// Fields that had other paths in earlier versions, whose links, files and command lines still open.
    pub former_paths: Vec<FormerPath>,
    /// Configs that are known to work.
    pub presets: Vec<PresetInfo>,
    /// What each metric means.
    pub metrics: Vec<MetricInfo>,
    /// The whole default config.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub defaults: Value,
}

impl ExperimentInfo {
    /// What there is to know about a world of control; `None` for any other.
    #[must_use]
    pub fn control(&self) -> Option<&ControlInfo> {
        if let WorldInfo::Control(info) = &self.world { Some(info) } else { None }
    }

    /// What there is to know about a logic CA; `None` for any other experiment.
    #[must_use]
    pub fn logic_ca(&self) -> Option<&LogicCaInfo> {
        if let WorldInfo::LogicCa(info) = &self.world { Some(info) } else { None }
    }

    /// What there is to know about a board game; `None` for any other experiment.
    #[must_use]
    pub fn games(&self) -> Option<&GameInfo> {
        if let WorldInfo::Games(info) = &self.world { Some(info) } else { None }
    }

    /// What there is to know about a cube; `None` for any other experiment.
    #[must_use]
    pub fn cube(&self) -> Option<&CubeInfo> {
        if let WorldInfo::Cube(info) = &self.world { Some(info) } else { None }
    }

    /// What there is to know about a language model; `None` for any other experiment.
    #[must_use]
    pub fn language(&self) -> Option<&LanguageInfo> {
        if let WorldInfo::Language(info) = &self.world { Some(info) } else { None }
    }
}

/// What is special about a kind of world. The kind is also the family of learners that a module of the page holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum WorldInfo {
    /// A learner that acts and earns rewards.
    Control(ControlInfo),
    /// A cellular automaton whose cells learn a circuit.
    LogicCa(LogicCaInfo),
    /// A board game that a network learns by playing itself.
    Games(GameInfo),
    /// A cube that a network learns to solve.
    Cube(CubeInfo),
    /// Text that a network learns to continue.
    Language(LanguageInfo),
}

/// A world in which a learner acts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ControlInfo {
    /// The dimensions of the world's state, in the order of the frame arrays' columns.
    pub dimensions: Vec<DimensionInfo>,
    /// The two dimensions, horizontal and vertical, that a heat map shows if nobody chooses others.
    pub map: [u32; 2],
    /// What the learner can do in the world.
    pub action: ActionInfo,
    /// World time of one step, in seconds.
    pub step_seconds: f64,
    /// Steps after which an episode is cut off.
    pub max_steps: u32,
    /// Mean return from which the world counts as solved.
    pub solved: f64,
    /// Worst return that an episode can have, or nearly: the other end of the scale that "how it is doing" uses.
    pub worst: f64,
}

/// What a logic CA's exhibit has to offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogicCaInfo {
    /// Patterns of Conway's Life that can be put on the stage.
    pub patterns: Vec<PatternInfo>,
    /// What the sixteen functions of a gate are called, by number.
    pub gate_names: Vec<String>,
    /// The most columns and rows of a stage.
    pub largest_side: u32,
    /// Pictures that can be learnt.
    pub targets: Vec<TargetInfo>,
}

/// A picture that can be learnt.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TargetInfo {
    /// As the config's target.
    pub name: String,
    /// Its cells, as the config's drawing.
    pub drawing: String,
    /// Whether it goes on and on over a board of any size; else it stands in the middle.
    pub repeated: bool,
}

/// What a board game's exhibit has to offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameInfo {
    /// What the value heads of the network tell, in the order of
    /// [`GameAnalysis::chances`](crate::protocol::games::GameAnalysis::chances).
    pub chances: Vec<ChanceInfo>,
    /// What the value heads make of a game at most: the equity of the highest win.
    pub most_equity: f32,
    /// Such as "points".
    pub equity_unit: String,
    /// Everybody who can play without having learnt it here. Networks come and go:
    /// [`GameRun::players`](crate::protocol::games::GameRun::players) has all.
    pub opponents: Vec<PlayerChoice>,
    /// The most simulations of a decision that memory is kept for.
    pub largest_search: u32,
    /// The most games of self-play that can be shown.
    pub largest_wall: u32,
    /// The most pairs of games of a match.
    pub largest_match: u32,
}

/// What a cube's exhibit has to offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CubeInfo {
    /// Pieces along an edge: 2 or 3.
    pub size: u32,
    /// The moves of the network with the default config, in the order of its values.
    pub turns: Vec<String>,
    /// All turns that a person may make.
    pub all_turns: Vec<String>,
    /// How a network's values are called, such as "Value".
    pub value_label: String,
    /// What they are in, such as "reward".
    pub value_unit: String,
    /// One sentence that says what they tell.
    pub value_help: String,
    /// The most random turns of a scramble that was asked for.
    pub largest_scramble: u32,
    /// The most cubes of the wall.
    pub largest_wall: u32,
    /// Whether the network is evaluated in all states, and there is a map of them.
    pub exam: bool,
    /// How many states there are at each distance from the solved one, in quarter turns; empty where nobody counts them.
    #[cfg_attr(test, ts(type = "number[]"))]
    pub states: Vec<u64>,
    /// Widths of a beam search to choose from; empty where there is none.
    pub beams: Vec<u32>,
    /// A sentence about what is known of the fewest moves.
    pub literature: String,
}

/// What a language model's exhibit has to offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguageInfo {
    /// What the built-in text is called.
    pub built_in: String,
    /// What its questions ask for, each as a phrase such as "capitals of countries".
    pub topics: Vec<String>,
    /// The share of questions that guessing answers rightly.
    pub guessing: f64,
    /// The most bytes that a text may have in a page, which holds all of it in memory.
    #[cfg_attr(test, ts(type = "number"))]
    pub largest_text: u64,
    /// The highest temperature.
    pub hottest: f32,
    /// The most tokens that are written in one go.
    pub longest_writing: u32,
    /// Seconds between two samples: the fewest, and the most.
    pub sample_seconds: [f32; 2],
}

/// One of the chances that a network gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChanceInfo {
    /// Such as `win_gammon`.
    pub name: String,
    /// For a person, such as "Win a gammon".
    pub label: String,
    /// One sentence that says what counts.
    pub help: String,
}

/// A pattern of cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PatternInfo {
    /// As in [`Command::Place`](crate::protocol::Command::Place).
    pub name: String,
    /// For a person, such as "Glider".
    pub label: String,
    /// Its rows, all of one length: `#` is a living cell, `.` a dead one.
    pub rows: Vec<String>,
}

/// One dimension of a world's state.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DimensionInfo {
    /// Such as `pole_angle`.
    pub name: String,
    /// For a person, such as "Pole angle".
    pub label: String,
    /// Such as "m/s".
    pub unit: String,
    /// Smallest value worth showing.
    pub low: f64,
    /// Largest value worth showing.
    pub high: f64,
    /// Whether the dimension is an angle that goes round, in radians.
    pub angle: bool,
}

/// What a learner can do in a world.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ActionInfo {
    /// One of a few actions.
    Discrete {
        /// A name for each, from the most negative to the most positive, such as "push left".
        labels: Vec<String>,
    },
    /// One number.
    Continuous {
        /// Such as "Torque".
        label: String,
        /// Such as "N·m".
        unit: String,
        /// Strongest action to the negative side, with the default config.
        low: f64,
        /// Strongest action to the positive side, with the default config.
        high: f64,
    },
}

/// A path that a config field had in an earlier version.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormerPath {
    /// The path that it had.
    pub former: String,
    /// Its path today.
    pub path: String,
}

/// A config that is known to work, and what there is to see in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PresetInfo {
    /// As in `--set preset=…`.
    pub name: String,
    /// The name that it had in earlier versions, whose links and command lines still open.
    pub former: Option<String>,
    /// For a person.
    pub label: String,
    /// One sentence about what to see.
    pub help: String,
    /// The fields that differ from the defaults.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub config: Value,
}
