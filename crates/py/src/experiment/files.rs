//! Writing of files.

use pyo3::prelude::*;
use std::io;
use std::path::Path;
use vivarium_lab::checkpoint;

/// Writes a file, which replaces the file `path` atomically.
///
/// # Errors
/// `OSError` with the path.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> PyResult<()> {
    let with_path = |error: io::Error| {
        PyErr::from(io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())))
    };
    checkpoint::file::replace(path, bytes).map_err(with_path)
}
