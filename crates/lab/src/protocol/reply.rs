//! The answer to a command.

use serde::{Deserialize, Serialize};

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reply {
    /// It was done.
    Done,
    /// A file for the person to keep.
    File {
        /// What to call it, with its ending.
        name: String,
        /// Its media type.
        mime: String,
        /// Its bytes.
        #[serde(with = "serde_bytes")]
        #[cfg_attr(feature = "typescript", ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: Vec<u8>,
    },
}
