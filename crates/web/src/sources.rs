//! Training texts that the user supplies as files.

use js_sys::Uint8Array;
use std::sync::Arc;
use vivarium_lab::LabError;
use vivarium_lab::source::{ByteSource, LARGEST_IN_PAGE, MemorySource};

/// Copies the user's files into the memory of the wasm module, as byte sources of a training text.
///
/// # Errors
/// [`LabError::Invalid`] if the files together exceed [`LARGEST_IN_PAGE`]; checked before the files are copied.
pub fn sources(names: Vec<String>, files: &[Uint8Array]) -> Result<Vec<Box<dyn ByteSource>>, LabError> {
    let bytes: u64 = files.iter().map(|file| u64::from(file.length())).sum();
    if bytes > LARGEST_IN_PAGE {
        let name = names.first().map_or("", String::as_str);
        let allowed = format!(
            "the text has {bytes} bytes (limit in the browser: {LARGEST_IN_PAGE}); use a smaller text or the native program"
        );
        return Err(LabError::invalid("data", name, allowed));
    }
    let source = |(name, file): (String, &Uint8Array)| -> Box<dyn ByteSource> {
        let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, file.length() as usize).collect();
        // `bytes` is the only reference to the buffer.
        if let Some(bytes) = Arc::get_mut(&mut bytes) {
            file.copy_to(bytes);
        }
        Box::new(MemorySource::new(name, bytes))
    };
    Ok(names.into_iter().zip(files).map(source).collect())
}
