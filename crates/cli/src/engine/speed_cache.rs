//! Cache of measured engine speeds, stored in a file in the user's cache folder.
//!
//! Errors of reading or writing the file are ignored: the speeds are then measured again.

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use std::path::PathBuf;
#[cfg(any(feature = "gpu", test))]
use {
    serde::{Deserialize, Serialize},
    std::fs,
    std::path::Path,
    vivarium_lab::checkpoint::file::replace,
    vivarium_lab::speed::EngineSpeeds,
};

const FILE: &str = "engines.json";

/// Returns the path of the cache file: in the folder of the environment variable `VIVARIUM_CACHE`, or in `vivarium`
/// in the user's cache folder. Returns `None` if the system has no cache folder.
pub fn cache_file() -> Option<PathBuf> {
    let chosen = std::env::var_os("VIVARIUM_CACHE").map(PathBuf::from).filter(|path| path.is_absolute());
    let own = chosen.or_else(|| Some(choose_native_strategy().ok()?.cache_dir().join("vivarium")))?;
    Some(own.join(FILE))
}

/// Maximum number of entries in the cache file. Entries are sorted from newest to oldest; the oldest are dropped.
#[cfg(any(feature = "gpu", test))]
const MAX_ENTRIES: usize = 100;

/// Cache key of measured speeds: hardware, driver, program version, threads, experiment and config.
#[cfg(any(feature = "gpu", test))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedCacheKey {
    pub program: String,
    pub adapter: String,
    pub driver: String,
    pub processor: String,
    pub threads: usize,
    pub experiment: String,
    /// Config as JSON text. The text is compared instead of the values, because parsed floating-point numbers may
    /// differ in the last bit.
    pub config: String,
}

#[cfg(any(feature = "gpu", test))]
#[derive(Serialize, Deserialize)]
struct CachedSpeeds {
    #[serde(rename = "setting")]
    key: SpeedCacheKey,
    speeds: EngineSpeeds,
}

/// Cache of measured engine speeds, and the path of the cache file.
#[cfg(any(feature = "gpu", test))]
pub struct SpeedCache {
    file: Option<PathBuf>,
    known: Vec<CachedSpeeds>,
}

#[cfg(any(feature = "gpu", test))]
impl SpeedCache {
    /// Reads the cache file of the user; the cache is empty if the file is missing or damaged.
    #[cfg(feature = "gpu")]
    pub fn read() -> Self {
        Self::read_from(cache_file())
    }

    /// Reads the cache file at the path `file`. A missing or damaged file gives an empty cache.
    fn read_from(file: Option<PathBuf>) -> Self {
        let bytes = file.as_ref().and_then(|file| fs::read(file).ok());
        let known = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Self { file, known }
    }

    /// Returns the cached speeds of a key; `None` if the key is not cached.
    pub fn get(&self, key: &SpeedCacheKey) -> Option<EngineSpeeds> {
        self.known.iter().find(|known| known.key == *key).map(|known| known.speeds)
    }

    /// Inserts the measured speeds of a key as the newest entry, and writes the cache file.
    pub fn insert(&mut self, key: SpeedCacheKey, speeds: EngineSpeeds) {
        self.known.retain(|known| known.key != key);
        self.known.insert(0, CachedSpeeds { key, speeds });
        self.known.truncate(MAX_ENTRIES);
        let Some((file, bytes)) = self.file.as_ref().zip(serde_json::to_vec(&self.known).ok()) else {
            return;
        };
        let _ =
            fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).and_then(|()| replace(file, &bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;
    use vivarium_lab::speed::Speed;

    fn key(config: &str) -> SpeedCacheKey {
        SpeedCacheKey {
            program: "vivarium 0.1.0".into(),
            adapter: "NVIDIA X".into(),
            driver: "Vulkan, 1".into(),
            processor: "a processor".into(),
            threads: 16,
            experiment: "cartpole".into(),
            config: config.into(),
        }
    }

    fn speeds(steps: f64) -> EngineSpeeds {
        let speed = |steps| Speed { whole: Some(steps), updates: 0.5, steps };
        EngineSpeeds { gpu: speed(steps), cpu: Speed { whole: None, ..speed(0.25) } }
    }

    #[test]
    fn cached_speeds_are_found_only_for_the_same_key() {
        let folder = TestFolder::new("known-speeds");
        let file = folder.path().join("new/folder/engines.json");
        let mut known = SpeedCache::read_from(Some(file.clone()));
        let (one, other) = (key("{\"a\":0.1}"), key("{\"a\":0.2}"));
        assert_eq!(known.get(&one), None);
        known.insert(one.clone(), speeds(2.0));
        known.insert(one.clone(), speeds(3.0));
        let read = || SpeedCache::read_from(Some(file.clone()));
        assert_eq!((read().get(&one), read().get(&other)), (Some(speeds(3.0)), None));
        assert_eq!(read().get(&SpeedCacheKey { threads: 2, ..one.clone() }), None);
        // The oldest entries are dropped.
        for number in 0..MAX_ENTRIES {
            known.insert(key(&number.to_string()), speeds(1.0));
        }
        assert_eq!((read().known.len(), read().get(&one)), (MAX_ENTRIES, None));
        fs::write(&file, "[{").unwrap();
        assert_eq!(read().get(&key("5")), None, "a damaged file gives an empty cache");
        SpeedCache::read_from(None).insert(one, speeds(1.0));
    }
}
