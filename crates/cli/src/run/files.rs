//! Reading of files up to a maximum size.

use crate::error::CliError;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

pub(super) const LATEST: &str = "latest.safetensors";
pub(super) const BEST: &str = "best.safetensors";

/// Maximum size of configs and other small files, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 30;

/// Maximum size of checkpoints, in bytes. The largest allowed config needs about 5 GB: policy and value networks of
/// eight layers with 4,096 units each, with optimizer moments.
const MAX_CHECKPOINT_SIZE: u64 = 16 << 30;

/// Opens a regular file for reading. Rejects named pipes, because opening a pipe blocks.
pub fn open_file(path: &Path) -> std::io::Result<File> {
    if fs::metadata(path)?.is_file() { File::open(path) } else { Err(ErrorKind::InvalidInput.into()) }
}

/// Reads a regular file of at most [`MAX_FILE_SIZE`] bytes.
///
/// # Errors
/// [`CliError::Failed`] if the file cannot be read, is not regular or is too large.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    check_size(path, MAX_FILE_SIZE)?;
    fs::read(path).map_err(|error| CliError::file("read", path, error))
}

/// Reads the bytes of a checkpoint file of at most [`MAX_CHECKPOINT_SIZE`] bytes.
///
/// # Errors
/// [`CliError::Failed`] if the file cannot be read, is not regular or is too large. For a missing best checkpoint,
/// the message suggests the latest checkpoint.
pub fn read_checkpoint(path: &Path) -> Result<Vec<u8>, CliError> {
    let latest = path.with_file_name(LATEST);
    if !path.exists() && path.file_name() == Some(BEST.as_ref()) && latest.is_file() {
        let why =
            format!("the run has not been evaluated yet; use its latest checkpoint {}", latest.display());
        return Err(CliError::file("read", path, why));
    }
    check_size(path, MAX_CHECKPOINT_SIZE)?;
    fs::read(path).map_err(|error| CliError::file("read", path, error))
}

/// Checks that a path is a regular file of at most `most` bytes.
fn check_size(path: &Path, most: u64) -> Result<(), CliError> {
    let refuse = |why: String| Err(CliError::file("read", path, why));
    let metadata = fs::metadata(path).map_err(|error| CliError::file("read", path, error))?;
    if metadata.is_dir() {
        return refuse("it is a folder, not a file".into());
    }
    if !metadata.is_file() {
        return refuse("it is not a file".into());
    }
    if metadata.len() > most {
        return refuse(format!("the file exceeds the limit of {} GiB", most >> 30));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;

    #[test]
    fn only_files_of_a_sensible_size_are_read() {
        let folder = TestFolder::new("read");
        assert!(read_bytes(folder.path()).unwrap_err().message().unwrap().contains("not a file"));
        let path = folder.path().join("huge");
        File::create(&path).unwrap().set_len(MAX_FILE_SIZE + 1).unwrap();
        assert!(read_bytes(&path).unwrap_err().message().unwrap().contains("1 GiB"));
        // Weights of the largest language model and its optimizer's moments.
        File::options().write(true).open(&path).unwrap().set_len(200_000_000 * 3 * 4).unwrap();
        check_size(&path, MAX_CHECKPOINT_SIZE).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(MAX_CHECKPOINT_SIZE + 1).unwrap();
        assert!(read_checkpoint(&path).unwrap_err().message().unwrap().contains("16 GiB"));
    }
}
