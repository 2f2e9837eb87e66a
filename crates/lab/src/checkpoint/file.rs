//! Atomic replacement of files on disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Suffix of the temporary files that atomic replacement writes: `<final name>.<process ID>.partial`.
const PARTIAL: &str = ".partial";

/// Removes temporary files that killed processes left in `folder` while they replaced the files `names`. No other
/// process may be writing these files.
///
/// # Errors
/// File system errors.
pub fn remove_partials(folder: &Path, names: &[&str]) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let of_one = |known: &&str| {
            let rest = name.to_str()?.strip_prefix(*known)?.strip_prefix('.')?;
            let process = rest.strip_suffix(PARTIAL)?.parse::<u32>().ok()?;
            (process != std::process::id()).then_some(())
        };
        if names.iter().any(|known| of_one(known).is_some()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Replaces the file at `path` atomically: readers see the old or the new content, even if the program is killed.
///
/// # Errors
/// File system errors; the old content then remains.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut partial = name.to_owned();
    partial.push(format!(".{}{PARTIAL}", std::process::id()));
    let partial = folder.join(partial);
    let written = write_through(&partial, bytes).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // Report the first error, not an error of the clean-up.
        let _ = fs::remove_file(&partial);
        return written;
    }
    sync_folder(folder)
}

/// Writes a file and syncs its data to disk. Without the sync, a later rename could reach the disk before the data.
fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Syncs a folder to disk, which makes a rename in the folder durable.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Does nothing on systems other than Unix, where a folder cannot be synced to disk.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{remove_partials, replace};
    use std::fs;

    #[test]
    fn replaces_the_content_without_other_files() {
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
    fn only_temporary_files_of_killed_programs_are_removed() {
        let folder = std::env::temp_dir().join(format!("vivarium-partials-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let own = format!("best.safetensors.{}.partial", std::process::id());
        let kept = ["best.safetensors", "best.safetensors.old.partial", &own, "notes.txt.12.partial"];
        for name in kept.iter().chain(&["best.safetensors.12.partial", "run.json.4000000000.partial"]) {
            fs::write(folder.join(name), b"").unwrap();
        }
        remove_partials(&folder, &["best.safetensors", "run.json"]).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        let mut kept = kept.map(std::ffi::OsString::from);
        kept.sort();
        assert_eq!(names, kept);
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
