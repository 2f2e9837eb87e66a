//! Replies to commands.

use serde::{Deserialize, Serialize};

/// Reply to a user command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reply {
    /// The command succeeded; there is no result.
    Done,
    /// A file to download.
    File {
        /// File name with extension.
        name: String,
        /// Media type (MIME type) of the file.
        mime: String,
        /// Contents of the file.
        #[serde(with = "serde_bytes")]
        #[cfg_attr(feature = "typescript", ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: Vec<u8>,
    },
}
