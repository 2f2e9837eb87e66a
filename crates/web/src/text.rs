//! Text that a person brings.

use js_sys::Uint8Array;
use std::sync::Arc;
use vivarium_lab::LabError;
use vivarium_lab::source::{ByteSource, LARGEST_IN_PAGE, MemorySource};

/// Files as the lab reads them, copied into the module's memory.
///
/// # Errors
/// [`LabError::Invalid`] for more than there is room for, before anything is copied.
pub fn sources(names: Vec<String>, files: &[Uint8Array]) -> Result<Vec<Box<dyn ByteSource>>, LabError> {
    let bytes: u64 = files.iter().map(|file| u64::from(file.length())).sum();
    if bytes > LARGEST_IN_PAGE {
        let name = names.first().map_or("", String::as_str);
        let allowed = format!(
            "a text in a page may have at most {LARGEST_IN_PAGE} bytes, and this has {bytes}; the native program takes any size"
        );
        return Err(LabError::invalid("data", name, allowed));
    }
    let source = |(name, file): (String, &Uint8Array)| -> Box<dyn ByteSource> {
        let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, file.length() as usize).collect();
        // Nobody else has it yet.
        if let Some(bytes) = Arc::get_mut(&mut bytes) {
            file.copy_to(bytes);
        }
        Box::new(MemorySource::new(name, bytes))
    };
    Ok(names.into_iter().zip(files).map(source).collect())
}
