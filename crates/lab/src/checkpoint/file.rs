//! Atomic replacement of files on disk.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// Suffix of the temporary files that atomic replacement writes: `<final name>.<random characters>.partial`.
const PARTIAL: &str = ".partial";

/// Number of random characters in the name of a temporary file.
const RANDOM_CHARACTERS: usize = 6;

/// Returns the name of the file that the temporary file `name` replaces; `None` if `name` is not the name of a temporary
/// file.
pub fn partial_target(name: &str) -> Option<&str> {
    let (target, random) = name.strip_suffix(PARTIAL)?.rsplit_once('.')?;
    let is_random = random.len() == RANDOM_CHARACTERS && random.bytes().all(|b| b.is_ascii_alphanumeric());
    is_random.then_some(target)
}

/// Removes temporary files that killed processes left in `folder` while they replaced files whose names satisfy
/// `is_target`. No process may be writing these files.
///
/// # Errors
/// File system errors.
pub fn remove_partials(folder: &Path, is_target: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().and_then(partial_target).is_some_and(&is_target) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Replaces the file at `path` atomically: readers see the old or the new content, even if the program is killed. The
/// permissions of the old file are kept.
///
/// # Errors
/// File system errors; the old content then remains.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = create_partial(folder, path.file_name().ok_or(io::ErrorKind::InvalidInput)?)?;
    file.write_all(bytes)?;
    if let Ok(replaced) = fs::metadata(path) {
        file.as_file().set_permissions(replaced.permissions())?;
    }
    // Without the sync, the rename could reach the disk before the data.
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_folder(folder)
}

/// Creates the temporary file in `folder` that replaces the file `name` once it is renamed.
fn create_partial(folder: &Path, name: &OsStr) -> io::Result<NamedTempFile> {
    let mut prefix = name.to_owned();
    prefix.push(".");
    let mut builder = Builder::new();
    let builder = builder.prefix(&prefix).suffix(PARTIAL).rand_bytes(RANDOM_CHARACTERS);
    // `make_in`, because `tempfile_in` creates files that only their owner can read.
    builder.make_in(folder, |partial| File::create_new(partial))
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
    use super::*;
    use std::ffi::OsString;

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_the_content_without_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.safetensors");
        replace(&path, b"old").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["run.safetensors"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_usual_permissions_and_a_replaced_file_keeps_its_own() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [path, usual] = ["run.safetensors", "usual"].map(|name| folder.path().join(name));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        replace(&path, b"old").unwrap();
        fs::write(&usual, b"").unwrap();
        assert_eq!(mode(&path), mode(&usual));
        for kept in [0o600, 0o664] {
            fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
            replace(&path, b"new").unwrap();
            assert_eq!(mode(&path), kept);
        }
    }

    #[test]
    fn only_temporary_files_of_killed_programs_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let kept = ["best.safetensors", "best.safetensors.old.partial", "notes.txt.a1B2c3.partial"];
        for name in kept.iter().chain(&["best.safetensors.a1B2c3.partial", "run.json.400000.partial"]) {
            fs::write(folder.path().join(name), b"").unwrap();
        }
        remove_partials(folder.path(), |name| ["best.safetensors", "run.json"].contains(&name)).unwrap();
        assert_eq!(names(folder.path()), kept);
    }

    /// Keeps the temporary file, as a process that is killed before the rename does.
    #[test]
    fn the_temporary_file_of_a_killed_write_is_recognized() {
        let folder = tempfile::tempdir().unwrap();
        create_partial(folder.path(), "run.json".as_ref()).unwrap().keep().unwrap();
        assert_eq!(names(folder.path()).len(), 1);
        remove_partials(folder.path(), |name| name == "run.json").unwrap();
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_failed_write_leaves_no_part_behind() {
        let folder = tempfile::tempdir().unwrap();
        // A folder in the file's place cannot be replaced.
        let path = folder.path().join("run.safetensors");
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(replace(&path, b"new").is_err());
        assert!(replace(&folder.path().join("absent/run.safetensors"), b"new").is_err());
        assert_eq!(names(folder.path()), ["run.safetensors"]);
    }
}
