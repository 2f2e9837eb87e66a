//! Matches of backgammon that the page sends.

use crate::error::ToolError;
use vivarium_envs::backgammon::record::MatchRecord;
use vivarium_exhibit_games::protocol::PlayedMatch;
use wasm_bindgen::prelude::*;

/// Converts a [`PlayedMatch`] to a record.
pub(crate) fn record_of(played: JsValue) -> Result<MatchRecord, ToolError> {
    let played: PlayedMatch = serde_wasm_bindgen::from_value(played).map_err(ToolError::new)?;
    played.record().map_err(ToolError::new)
}
