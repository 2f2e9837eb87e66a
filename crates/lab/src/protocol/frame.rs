//! Frames: snapshots of an [exhibit](crate::exhibit) for drawing.

use serde_json::Value;

/// A named numeric array of a frame, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameArray {
    /// Name of the array, such as `preview/state`.
    pub name: &'static str,
    /// Size of each dimension, outermost dimension first.
    pub shape: Vec<u32>,
    /// Elements of the array, in row-major order.
    pub data: FrameData,
}

/// Elements of a [`FrameArray`], the numeric array of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameData {
    /// 32-bit floating-point numbers, for all arrays except byte arrays.
    F32(Vec<f32>),
    /// Bytes, for large arrays such as the cells of boards.
    U8(Vec<u8>),
}

impl FrameArray {
    /// Creates an array of floats. `shape` is the size of each dimension; `data` holds the elements in row-major order.
    #[must_use]
    pub fn f32(name: &'static str, shape: &[u32], data: Vec<f32>) -> Self {
        Self { name, shape: shape.to_vec(), data: FrameData::F32(data) }
    }

    /// Creates an array of bytes. `shape` is the size of each dimension; `data` holds the elements in row-major order.
    #[must_use]
    pub fn u8(name: &'static str, shape: &[u32], data: Vec<u8>) -> Self {
        Self { name, shape: shape.to_vec(), data: FrameData::U8(data) }
    }

    /// Returns the elements of an array of floats, or `None` for an array of bytes.
    #[must_use]
    pub fn floats(&self) -> Option<&[f32]> {
        if let FrameData::F32(data) = &self.data { Some(data) } else { None }
    }

    /// Returns the elements of an array of bytes, or `None` for an array of floats.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        if let FrameData::U8(data) = &self.data { Some(data) } else { None }
    }
}

/// Snapshot of an exhibit, for drawing: numeric arrays and structured data (documents). The protocol module of each
/// family lists both.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame<D = ()> {
    /// Numeric arrays of the snapshot, with their names.
    pub arrays: Vec<FrameArray>,
    /// Structured data of the frame; `None` if the data has not changed since the last frame.
    pub documents: Option<Box<D>>,
}

/// Frame of an exhibit of any family, with its documents (structured data) as JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnyFrame {
    /// Numeric arrays with their names; see [`Frame::arrays`].
    pub arrays: Vec<FrameArray>,
    /// Structured data as JSON; `None` if unchanged since the last frame. See [`Frame::documents`].
    pub documents: Option<Value>,
}

/// Boxes the documents (structured data) of a frame. Returns `None` if they equal the default value, in which all
/// documents are omitted.
#[must_use]
pub fn changed<D: Default + PartialEq>(documents: D) -> Option<Box<D>> {
    (documents != D::default()).then(|| Box::new(documents))
}

impl<D> From<Vec<FrameArray>> for Frame<D> {
    fn from(arrays: Vec<FrameArray>) -> Self {
        Self { arrays, documents: None }
    }
}

impl<D> Frame<D> {
    /// Returns the frame's array with the name `name`, or `None` if the frame has no such array.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FrameArray> {
        self.arrays.iter().find(|array| array.name == name)
    }
}
