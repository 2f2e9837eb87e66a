//! Conversion of checkpoints to the formats of other programs, and back.

use crate::error::ToolError;
use js_sys::{Object, Reflect, Uint8Array};
use serde_json::json;
use vivarium_exhibit_language::HuggingFaceModel;
use wasm_bindgen::prelude::*;

/// Returns the trained network of a checkpoint as the bytes of an ONNX file.
#[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
pub fn onnx(checkpoint: &[u8]) -> Result<Vec<u8>, ToolError> {
    Ok(vivarium_exhibits::onnx(checkpoint)?)
}

/// Returns the model of a checkpoint of a language model as the files of a folder that the library `transformers` opens
/// as GPT-2: an object whose keys are the names of the files, and whose values are their contents.
#[wasm_bindgen(js_name = huggingFace, unchecked_return_type = "Record<string, Uint8Array<ArrayBuffer>>")]
pub fn hugging_face(checkpoint: &[u8]) -> Result<Object, ToolError> {
    let files = Object::new();
    for (name, bytes) in vivarium_exhibit_language::hugging_face(checkpoint)? {
        // The object is new and plain, so setting a property cannot fail.
        let _ = Reflect::set(&files, &name.into(), &Uint8Array::from(bytes.as_slice()));
    }
    Ok(files)
}

/// Converts a GPT-2 model in the files of `transformers` to a checkpoint, with which a run continues its training.
#[wasm_bindgen(js_name = openHuggingFace, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
pub fn open_hugging_face(config: &[u8], weights: &[u8], tokenizer: &[u8]) -> Result<Vec<u8>, ToolError> {
    Ok(HuggingFaceModel::open([config, weights, tokenizer])?.checkpoint(&json!({}), 1)?)
}

/// Converts a checkpoint to a checkpoint with weights only, if the experiment opens such files.
#[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
pub fn weights(checkpoint: &[u8]) -> Result<Vec<u8>, ToolError> {
    Ok(vivarium_exhibits::weights_only(checkpoint)?)
}
