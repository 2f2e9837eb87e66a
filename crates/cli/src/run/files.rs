//! Files that a person named or a run has left, as long as they are of a sensible size.

use crate::failure::Failure;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

pub(super) const LATEST: &str = "latest.safetensors";
pub(super) const BEST: &str = "best.safetensors";

/// Configs and the like that are larger than this are not read: none comes near.
const LARGEST_FILE: u64 = 1 << 30;

/// Nor are checkpoints that are larger than this. The largest that configs allow takes some 5 GB: eight layers of 4096 units
/// for each of policy and value, as weights and as the optimizer's moments, or a dozen of the widest networks that play games.
const LARGEST_CHECKPOINT: u64 = 16 << 30;

/// Opens what is a file: a pipe that nobody writes to would keep whoever opens it.
pub fn open_file(path: &Path) -> std::io::Result<File> {
    if fs::metadata(path)?.is_file() { File::open(path) } else { Err(ErrorKind::InvalidInput.into()) }
}

/// The bytes of a file that a person named, if it is one and of a sensible size.
///
/// # Errors
/// What the file system says, or that it is no file or too large.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    check_size(path, LARGEST_FILE)?;
    fs::read(path).map_err(|error| Failure::file("read", path, error))
}

/// The bytes of a checkpoint that a person named, or that a run has left: whatever this program writes.
///
/// # Errors
/// As those of [`read_bytes`].
pub fn read_checkpoint(path: &Path) -> Result<Vec<u8>, Failure> {
    let latest = path.with_file_name(LATEST);
    if !path.exists() && path.file_name() == Some(BEST.as_ref()) && latest.is_file() {
        let why = format!("the run has not been evaluated yet; its newest state is {}", latest.display());
        return Err(Failure::file("read", path, why));
    }
    check_size(path, LARGEST_CHECKPOINT)?;
    fs::read(path).map_err(|error| Failure::file("read", path, error))
}

/// Refuses what is no file or larger than `most` bytes.
fn check_size(path: &Path, most: u64) -> Result<(), Failure> {
    let refuse = |why: String| Err(Failure::file("read", path, why));
    let about = fs::metadata(path).map_err(|error| Failure::file("read", path, error))?;
    if !about.is_file() {
        return refuse("it is not a file".into());
    }
    if about.len() > most {
        return refuse(format!("it is larger than {} GiB, and none that this program writes is", most >> 30));
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
        File::create(&path).unwrap().set_len(LARGEST_FILE + 1).unwrap();
        assert!(read_bytes(&path).unwrap_err().message().unwrap().contains("1 GiB"));
        // Weights of the largest language model and its optimizer's moments.
        File::options().write(true).open(&path).unwrap().set_len(200_000_000 * 3 * 4).unwrap();
        check_size(&path, LARGEST_CHECKPOINT).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(LARGEST_CHECKPOINT + 1).unwrap();
        assert!(read_checkpoint(&path).unwrap_err().message().unwrap().contains("16 GiB"));
    }
}
