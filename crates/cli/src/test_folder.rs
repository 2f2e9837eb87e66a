//! A folder of its own for a test, gone afterwards.

use std::path::{Path, PathBuf};

/// Removes itself when dropped.
pub struct TestFolder(PathBuf);

impl TestFolder {
    /// An empty folder; `name` tells tests of one process apart.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vivarium-test-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
