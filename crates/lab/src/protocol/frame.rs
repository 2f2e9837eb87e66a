//! What there is to draw at one moment.

use serde_json::Value;

/// A named array of numbers ready to draw, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameArray {
    /// Such as `preview/state`.
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

/// What there is to draw at one moment. Each exhibit documents its own arrays and documents.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame<D = ()> {
    /// Arrays, each with its name.
    pub arrays: Vec<FrameArray>,
    /// Structured data that is not an array of numbers, where any of it has changed since the last frame.
    pub documents: Option<Box<D>>,
}

/// The frame of any exhibit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnyFrame {
    /// As in [`Frame::arrays`].
    pub arrays: Vec<FrameArray>,
    /// As in [`Frame::documents`], as JSON.
    pub documents: Option<Value>,
}

/// Documents in a box, unless all of them are left out.
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
    /// The array of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FrameArray> {
        self.arrays.iter().find(|array| array.name == name)
    }
}
