//! Positions and records of matches of backgammon in the formats of other programs.

use crate::error::ToolError;
use crate::played::record_of;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use vivarium_envs::backgammon::{Match, Setup, Xgid};
use vivarium_exhibit_games::protocol::PlayedMatch;
use wasm_bindgen::prelude::*;

/// Returns the XGID of a position ID, or of a position ID and a match ID with a colon between them.
#[wasm_bindgen]
pub fn xgid(id: &str) -> Result<String, ToolError> {
    let Setup { position, state } = Setup::parse(id).map_err(ToolError::new)?;
    Ok(Xgid::new(position, state.unwrap_or(Match::MONEY)).to_string())
}

/// Writes a match, which is a [`PlayedMatch`], as SGF if `sgf`, otherwise as .mat.
#[wasm_bindgen(js_name = writeMatch)]
pub fn write_match(played: JsValue, sgf: bool) -> Result<String, ToolError> {
    let record = record_of(played)?;
    Ok(if sgf { record.to_sgf() } else { record.to_mat() })
}

/// Reads the record of a match, .mat or SGF, and returns a [`PlayedMatch`].
#[wasm_bindgen(js_name = readMatch)]
pub fn read_match(text: &str) -> Result<JsValue, ToolError> {
    let played = PlayedMatch::parse(text).map_err(ToolError::new)?;
    played.serialize(&Serializer::json_compatible()).map_err(ToolError::new)
}
