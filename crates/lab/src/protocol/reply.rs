//! Replies of an experiment to user commands.

use serde::{Deserialize, Serialize};

/// Reply of an experiment to a user command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reply {
    /// The command succeeded; there is no result.
    Done,
    /// The command succeeded, and the result is a file for the user to download.
    File {
        /// Name of the file, with its extension.
        name: String,
        /// Media type (MIME type) of the file.
        mime: String,
        /// Contents of the file.
        #[serde(with = "serde_bytes")]
        #[cfg_attr(feature = "typescript", ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: Vec<u8>,
    },
}
