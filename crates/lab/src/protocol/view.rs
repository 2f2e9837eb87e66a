//! What a door asks to be drawn, and the arrays that it gets.

use super::cube::CubeView;
use super::games::GameView;
use super::language::LanguageView;
use serde::{Deserialize, Serialize};

/// What is to be drawn. A request for another kind of world gives an empty picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ViewRequest {
    /// A herd in a world of control.
    Control(ControlView),
    /// The boards and the circuit of a logic CA.
    LogicCa(LogicView),
    /// The table, the search and the self-play of a board game.
    Games(GameView),
    /// The cube on the table, its exam and its map.
    Cube(CubeView),
    /// A language model's training, its desk, and what it has learnt.
    Language(LanguageView),
}

/// What is to be drawn of a control experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ControlView {
    /// How many members of the herd.
    pub herd: u32,
    /// Which of them is in focus.
    pub focus: u32,
    /// The two state dimensions of the heat maps, and their resolution; `None` for no map.
    pub map: Option<MapRequest>,
}

/// Heat maps of policy and value over two state dimensions, the others as in the focused member.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MapRequest {
    /// State dimension along the horizontal axis.
    pub x: u32,
    /// State dimension along the vertical axis.
    pub y: u32,
    /// Cells a side.
    pub size: u32,
}

/// What is to be drawn of a logic CA.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogicView {
    /// The channel of the cells' states that is shown; `None`: those that the target has, one as grey or three as
    /// red, green and blue.
    pub channel: Option<u32>,
    /// Column and row of the cell of the stage whose signals in the circuit are wanted.
    pub cell: Option<[u32; 2]>,
    /// Whether the circuit is wanted.
    pub circuit: bool,
}

/// A named array of numbers ready to draw, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameArray {
    /// Such as `herd/state`.
    pub name: &'static str,
    /// Outermost dimension first.
    pub shape: Vec<u32>,
    /// The numbers.
    pub data: FrameData,
}

/// The numbers of a [`FrameArray`].
#[derive(Clone, Debug, PartialEq)]
pub enum FrameData {
    /// Real numbers.
    F32(Vec<f32>),
    /// Bytes: large boards must not cross as floats.
    U8(Vec<u8>),
}

impl FrameArray {
    /// An array of real numbers.
    #[must_use]
    pub fn f32(name: &'static str, shape: &[u32], data: Vec<f32>) -> Self {
        Self { name, shape: shape.to_vec(), data: FrameData::F32(data) }
    }

    /// An array of bytes.
    #[must_use]
    pub fn u8(name: &'static str, shape: &[u32], data: Vec<u8>) -> Self {
        Self { name, shape: shape.to_vec(), data: FrameData::U8(data) }
    }

    /// A document: its JSON as bytes of UTF-8, for what has words in it.
    #[must_use]
    pub fn document(name: &'static str, content: &impl Serialize) -> Self {
        // Only maps with keys that are no text fail, and none of ours has any.
        let text = serde_json::to_vec(content).unwrap_or_default();
        Self { name, shape: vec![text.len() as u32], data: FrameData::U8(text) }
    }

    /// The real numbers; `None` where it holds bytes.
    #[must_use]
    pub fn floats(&self) -> Option<&[f32]> {
        if let FrameData::F32(data) = &self.data { Some(data) } else { None }
    }

    /// The bytes; `None` where it holds real numbers.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        if let FrameData::U8(data) = &self.data { Some(data) } else { None }
    }
}

/// One picture: arrays by name. Each experiment documents its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The arrays.
    pub arrays: Vec<FrameArray>,
}

impl Frame {
    /// The array of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FrameArray> {
        self.arrays.iter().find(|array| array.name == name)
    }
}
