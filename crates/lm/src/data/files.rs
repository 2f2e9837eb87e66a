//! Reading of training text from files and folders on disk.

use super::{ByteSource, DataError};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Extensions of the text files that are read from a folder.
const ENDINGS: [&str; 4] = ["txt", "text", "md", "xml"];

/// Opens a single file with any name, or all text files of a folder and its subfolders in the order of their names.
/// Text files have the extensions `.txt`, `.text`, `.md` and `.xml`.
///
/// # Errors
/// [`DataError::Read`] for a missing or unreadable path, [`DataError::NoFiles`] for a folder without text files.
pub fn open(path: &Path) -> Result<Vec<Box<dyn ByteSource>>, DataError> {
    if !path.is_dir() {
        return Ok(vec![Box::new(DiskFile::open(path)?)]);
    }
    let mut files = Vec::new();
    collect(path, &mut files)?;
    if files.is_empty() {
        let endings = ENDINGS.map(|ending| format!(".{ending}")).join(", ");
        return Err(DataError::NoFiles { folder: path.display().to_string(), endings });
    }
    Ok(files)
}

fn problem(path: &Path, error: &io::Error) -> DataError {
    let problem = match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        _ => error.to_string(),
    };
    DataError::Read { name: path.display().to_string(), problem }
}

fn collect(folder: &Path, files: &mut Vec<Box<dyn ByteSource>>) -> Result<(), DataError> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries = entries.map_err(|error| problem(folder, &error))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // Symbolic links to folders are not followed, to avoid cycles.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|&known| ending == known)) {
            files.push(Box::new(DiskFile::open(&path)?));
        }
    }
    Ok(())
}

/// A file on disk. Each read reopens the file, because a folder can have more files than a process can hold open.
struct DiskFile {
    path: PathBuf,
    name: String,
    len: u64,
}

impl DiskFile {
    fn open(path: &Path) -> Result<Self, DataError> {
        // Checked before opening: opening a pipe without a writer blocks.
        let about = fs::metadata(path).map_err(|error| problem(path, &error))?;
        if !about.is_file() {
            return Err(DataError::Read {
                name: path.display().to_string(),
                problem: "not a regular file or folder".to_owned(),
            });
        }
        File::open(path).map_err(|error| problem(path, &error))?;
        Ok(Self { path: path.to_owned(), name: path.display().to_string(), len: about.len() })
    }
}

impl ByteSource for DiskFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(into)
    }
}
