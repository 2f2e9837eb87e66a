//! Files of match records.

use crate::error::CliError;
use std::path::Path;
use vivarium_envs::backgammon::record::MatchRecord;

/// Format of a record file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// Match text of JellyFish.
    Mat,
    /// Smart Game Format.
    Sgf,
}

impl RecordFormat {
    /// Returns the format of a file by its extension. `option`: command-line option that names the file.
    ///
    /// # Errors
    /// [`CliError::Usage`] for another extension.
    pub fn of(path: &Path, option: &str) -> Result<Self, CliError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("mat") => Ok(Self::Mat),
            Some("sgf") => Ok(Self::Sgf),
            _ => Err(CliError::usage(format!(
                "{option} {}: unknown format; the name must end with .mat or .sgf",
                path.display()
            ))),
        }
    }

    /// Checks that the format can store games that begin with a set-up position, if `has_setup`. `option`: command-line
    /// option that names the file.
    ///
    /// # Errors
    /// [`CliError::Usage`] for .mat files.
    pub fn check_setup(self, has_setup: bool, path: &Path, option: &str) -> Result<(), CliError> {
        match self {
            Self::Mat if has_setup => Err(CliError::usage(format!(
                "{option} {}: .mat files have no set-up positions; the name must end with .sgf",
                path.display()
            ))),
            Self::Mat | Self::Sgf => Ok(()),
        }
    }

    /// Writes a record to a file in this format.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be written.
    pub fn write(self, record: &MatchRecord, path: &Path) -> Result<(), CliError> {
        let text = match self {
            Self::Mat => record.to_mat(),
            Self::Sgf => record.to_sgf(),
        };
        std::fs::write(path, text).map_err(|error| CliError::file("write", path, error))
    }
}

/// First bytes of the binary files of eXtreme Gammon.
const XG_MAGIC: &[u8] = b"RGMH";

/// Reads the record of a file in either format.
///
/// # Errors
/// [`CliError::Failed`] if the file cannot be read, is a binary file, or the record is invalid.
pub fn read(path: &Path) -> Result<MatchRecord, CliError> {
    let bytes = std::fs::read(path).map_err(|error| CliError::file("read", path, error))?;
    let is_xg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xg"));
    if is_xg || bytes.starts_with(XG_MAGIC) || bytes.contains(&0) {
        let kind = if is_xg || bytes.starts_with(XG_MAGIC) { "of eXtreme Gammon " } else { "" };
        return Err(CliError::failed(format!(
            "{}: a binary file {kind}is not a match text; in eXtreme Gammon, export the match as text (.mat); GNU Backgammon writes \
             .mat and SGF",
            path.display()
        )));
    }
    // Older programs write names in Latin-1; other characters do not matter.
    let text = String::from_utf8_lossy(&bytes);
    MatchRecord::parse(&text).map_err(|error| CliError::failed(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_files_of_extreme_gammon_are_refused_with_a_remedy() {
        let folder = std::env::temp_dir().join(format!("vivarium-record-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let error = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            format!("{:?}", read(&path).unwrap_err())
        };
        let xg = "a binary file of eXtreme Gammon is not a match text; in eXtreme Gammon, export";
        for (name, bytes) in
            [("match.xg", &b"RGMH\x01\0\0\0"[..]), ("match.XG", b"text"), ("match.mat", b"RGMH")]
        {
            let error = error(name, bytes);
            assert!(error.contains(xg) && error.contains("match."), "{name}: {error}");
        }
        assert!(error("match.mat", b"a\0b").contains("a binary file is not a match text"));
        assert!(error("other.mat", b"a match").contains("line 1: "));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
