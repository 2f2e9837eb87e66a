//! What a front end asks to be drawn, and the frame that it gets.

#[cfg(feature = "cube")]
use super::cube::CubeDocuments;
use super::cube::CubeView;
#[cfg(feature = "games")]
use super::games::GameDocuments;
use super::games::GameView;
#[cfg(feature = "language")]
use super::language::LanguageDocuments;
use super::language::LanguageView;
use serde::{Deserialize, Serialize};

/// What is to be drawn. A request for another kind of world gives an empty picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ViewRequest {
    /// Environments of a world of control.
    Control(ControlView),
    /// The boards and the circuit of a logic CA.
    LogicCa(LogicView),
    /// The table, the search and the self-play of a board game.
    Games(GameView),
    /// The cube on the table, its evaluation and its map.
    Cube(CubeView),
    /// A language model's training, its desk, and what it has learnt.
    Language(LanguageView),
}

/// What is to be drawn of a control experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ControlView {
    /// How many environments.
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

/// The documents of a frame: structured data that is not an array of numbers. A document that has not changed since the
/// last frame is left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Documents {
    /// Of a board game.
    #[cfg(feature = "games")]
    Games(Box<GameDocuments>),
    /// Of a cube.
    #[cfg(feature = "cube")]
    Cube(Box<CubeDocuments>),
    /// Of a language model.
    #[cfg(feature = "language")]
    Language(Box<LanguageDocuments>),
}

/// What there is to draw at one moment. Each experiment documents its own arrays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Arrays, each with its name.
    pub arrays: Vec<FrameArray>,
    /// Documents, where any has changed.
    pub documents: Option<Documents>,
}

/// Documents in a box, unless all of them are left out.
#[cfg(any(feature = "games", feature = "cube", feature = "language"))]
pub(crate) fn changed<D: Default + PartialEq>(documents: D) -> Option<Box<D>> {
    (documents != D::default()).then(|| Box::new(documents))
}

impl From<Vec<FrameArray>> for Frame {
    fn from(arrays: Vec<FrameArray>) -> Self {
        Self { arrays, documents: None }
    }
}

impl Frame {
    /// The array of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FrameArray> {
        self.arrays.iter().find(|array| array.name == name)
    }
}
