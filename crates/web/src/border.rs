//! What crosses between Rust and JavaScript: objects through serde, arrays of numbers as typed arrays.

use crate::problem::Refusal;
use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use vivarium_lab::protocol::{AnyFrame, FrameArray, FrameData, ThrownProblem};
use wasm_bindgen::prelude::*;

/// The types that the generated declarations of a module name.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "\
import type {
  Command, Documents, Evaluation, Figure, GpuReport, MetricRow, OpenedRun, Problem, Progress, Reply, ViewRequest,
} from '../../../protocol/types'

/** An array ready to draw, row-major. */
export interface FrameArray {
  shape: number[]
  /** Bytes where they are enough: a board of a million cells is redrawn sixty times a second. */
  data: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>
}

/** What there is to draw at one moment. */
export interface Frame {
  /** By name, such as `preview/state`. */
  arrays: Record<string, FrameArray>
  /** Those that have changed since the last frame; null where none has. */
  documents: Documents | null
}
";

/// An object with the fields that JSON would have. Bytes become a `Uint8Array`.
///
/// # Errors
/// [`Refusal`] for a number of 2⁵³ or more, which JavaScript cannot hold.
pub fn to_js(value: &impl Serialize) -> Result<JsValue, Refusal> {
    let serializer = Serializer::json_compatible().serialize_bytes_as_arrays(false);
    value.serialize(&serializer).map_err(Refusal::from)
}

/// What JavaScript passed, as the type that is expected.
///
/// # Errors
/// [`Refusal`] naming what does not fit.
pub fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, Refusal> {
    serde_wasm_bindgen::from_value(value).map_err(Refusal::from)
}

/// A frame whose arrays are copies that belong to the receiver.
///
/// # Errors
/// As [`to_js`].
pub fn frame_to_js(frame: &AnyFrame) -> Result<JsValue, Refusal> {
    let arrays = Object::new();
    for array in &frame.arrays {
        set(&arrays, array.name, &array_to_js(array));
    }
    let object = Object::new();
    set(&object, "arrays", &arrays);
    set(&object, "documents", &to_js(&frame.documents)?);
    Ok(object.into())
}

fn array_to_js(array: &FrameArray) -> JsValue {
    let shape: Array = array.shape.iter().map(|&size| JsValue::from(size)).collect();
    let data: JsValue = match &array.data {
        FrameData::F32(data) => Float32Array::from(data.as_slice()).into(),
        FrameData::U8(data) => Uint8Array::from(data.as_slice()).into(),
    };
    let object = Object::new();
    set(&object, "shape", &shape);
    set(&object, "data", &data);
    object.into()
}

/// Sets a field of a fresh plain object, which does not fail.
fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.0.message.clone();
        to_js(&ThrownProblem::Problem(refusal.0)).unwrap_or_else(|_| message.into())
    }
}
