//! Temporary folders of tests.

use std::path::{Path, PathBuf};

/// A temporary folder that is deleted on drop.
pub struct TestFolder(PathBuf);

impl TestFolder {
    /// Creates an empty folder in the system's folder for temporary files; `name` must be unique within the process.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vivarium-test-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder can be created");
        Self(path)
    }

    /// Returns the path of the temporary folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
