//! Files and folders.

use super::{DataError, Source};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What the names of files end in that are taken from a folder.
const ENDINGS: [&str; 4] = ["txt", "text", "md", "xml"];

/// The file of a path, whatever its name, or of a folder and the folders in it all text files in the order of their names:
/// those that end in `.txt`, `.text`, `.md` or `.xml`.
///
/// # Errors
/// [`DataError::Read`] for what is missing or cannot be read, [`DataError::NoFiles`] for a folder without text files.
pub fn open(path: &Path) -> Result<Vec<Box<dyn Source>>, DataError> {
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
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        _ => error.to_string(),
    };
    DataError::Read { name: path.display().to_string(), problem }
}

fn collect(folder: &Path, files: &mut Vec<Box<dyn Source>>) -> Result<(), DataError> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries = entries.map_err(|error| problem(folder, &error))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a folder is not followed: it may lead back here.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|&known| ending == known)) {
            files.push(Box::new(DiskFile::open(&path)?));
        }
    }
    Ok(())
}

/// A file that is opened for each read: a folder may have more files than a process may hold open.
struct DiskFile {
    path: PathBuf,
    name: String,
    len: u64,
}

impl DiskFile {
    fn open(path: &Path) -> Result<Self, DataError> {
        // Before it is opened: a pipe that nobody writes to would keep whoever opens it.
        let about = fs::metadata(path).map_err(|error| problem(path, &error))?;
        if !about.is_file() {
            return Err(DataError::Read {
                name: path.display().to_string(),
                problem: "it is neither a file nor a folder".to_owned(),
            });
        }
        File::open(path).map_err(|error| problem(path, &error))?;
        Ok(Self { path: path.to_owned(), name: path.display().to_string(), len: about.len() })
    }
}

impl Source for DiskFile {
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
