//! Conversions between Rust and JavaScript: objects by serde, arrays of numbers as typed arrays.

use crate::error::SessionError;
use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use vivarium_lab::protocol::{AnyFrame, FrameArray, FrameData, ThrownProblem};
use wasm_bindgen::prelude::*;

/// Imports of the TypeScript types of the arguments and results of [`WebSession`](crate::WebSession), for the generated
/// type declarations of a wasm module.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "\
import type { Frame } from '../../../protocol/frame'
import type {
  Command, Evaluation, Figure, GpuReport, MetricRow, OpenedRun, Problem, Progress, Reply, ViewRequest,
} from '../../../protocol/types'
";

/// Converts a value to a JavaScript object with the fields of the value's JSON. Bytes become a `Uint8Array`.
///
/// # Errors
/// [`SessionError`] for integers of 2⁵³ or more, which JavaScript cannot represent.
pub fn to_js(value: &impl Serialize) -> Result<JsValue, SessionError> {
    let serializer = Serializer::json_compatible().serialize_bytes_as_arrays(false);
    value.serialize(&serializer).map_err(SessionError::from)
}

/// Deserializes a JavaScript value as type `T`.
///
/// # Errors
/// [`SessionError`] naming the part that does not match the type.
pub fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, SessionError> {
    serde_wasm_bindgen::from_value(value).map_err(SessionError::from)
}

/// Converts a frame to a JavaScript object. Its arrays are copies, so that the worker can transfer their buffers to the
/// page.
///
/// # Errors
/// [`SessionError`] for integers of 2⁵³ or more in the JSON documents.
pub fn frame_to_js(frame: &AnyFrame) -> Result<JsValue, SessionError> {
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

/// Sets the property `name` of a JavaScript object to `value`. The object is new and plain, so setting a property
/// cannot fail.
fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

impl From<SessionError> for JsValue {
    fn from(refusal: SessionError) -> Self {
        let message = refusal.0.message.clone();
        to_js(&ThrownProblem::Problem(refusal.0)).unwrap_or_else(|_| message.into())
    }
}
