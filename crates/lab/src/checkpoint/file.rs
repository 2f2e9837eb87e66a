//! Checkpoints on disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Replaces the file at `path` by `bytes` in one go: whoever reads it, and whenever the program is killed, finds the
/// old content or the new, never a part.
///
/// # Errors
/// Those of the file system; the old content stays then.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut partial = name.to_owned();
    partial.push(format!(".{}.partial", std::process::id()));
    let partial = folder.join(partial);
    let written = write_through(&partial, bytes).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(&partial);
        return written;
    }
    sync_folder(folder)
}

/// Writes a new file and waits until it is on the disk: a rename may reach the disk before the data does.
fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Waits until the rename is on the disk.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Only Unix lets a folder be opened for that.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::replace;
    use std::fs;

    #[test]
    fn replaces_the_content_and_leaves_nothing_else() {
        let folder = std::env::temp_dir().join(format!("vivarium-replace-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("run.safetensors");
        replace(&path, b"old").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["run.safetensors"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_failed_write_leaves_no_part_behind() {
        let folder = std::env::temp_dir().join(format!("vivarium-failed-{}", std::process::id()));
        // A folder in the file's place cannot be replaced.
        let path = folder.join("run.safetensors");
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(replace(&path, b"new").is_err());
        assert!(replace(&folder.join("absent/run.safetensors"), b"new").is_err());
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["run.safetensors"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
