//! Speeds that were measured in earlier runs, in a file of the user's cache folder.
//!
//! It is a help, not a need: one that cannot be read or written costs the next run another measurement.

use std::path::PathBuf;
#[cfg(any(feature = "gpu", test))]
use {
    serde::{Deserialize, Serialize},
    std::fs,
    std::path::Path,
    vivarium_lab::checkpoint::file::replace,
    vivarium_lab::speed::Speed,
};

const FILE: &str = "engines.json";

/// Where it is: in the folder that the variable `VIVARIUM_CACHE` names, or `vivarium` in the user's cache folder. `None` where
/// the system names none.
pub fn file() -> Option<PathBuf> {
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = || {
        if cfg!(windows) {
            folder("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            Some(folder("HOME")?.join("Library/Caches"))
        } else {
            folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))
        }
    };
    let own = folder("VIVARIUM_CACHE").or_else(|| Some(caches()?.join("vivarium")))?;
    Some(own.join(FILE))
}

/// The most settings that are kept, the newest first.
#[cfg(any(feature = "gpu", test))]
const MOST: usize = 100;

/// How fast both engines were.
#[cfg(any(feature = "gpu", test))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speeds {
    pub gpu: Speed,
    pub cpu: Speed,
}

#[cfg(any(feature = "gpu", test))]
impl Speeds {
    /// Whether either engine finished anything.
    pub fn finished(&self) -> bool {
        let (gpu, cpu, _) = self.gpu.beside(&self.cpu);
        gpu > 0.0 || cpu > 0.0
    }
}

/// What they depend on.
#[cfg(any(feature = "gpu", test))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    pub program: String,
    pub adapter: String,
    pub driver: String,
    pub processor: String,
    pub threads: usize,
    pub experiment: String,
    /// As JSON: numbers that are read again may differ in the last bit.
    pub config: String,
}

#[cfg(any(feature = "gpu", test))]
#[derive(Serialize, Deserialize)]
struct Known {
    setting: Setting,
    speeds: Speeds,
}

/// What is in the file.
#[cfg(any(feature = "gpu", test))]
pub struct KnownSpeeds {
    file: Option<PathBuf>,
    known: Vec<Known>,
}

#[cfg(any(feature = "gpu", test))]
impl KnownSpeeds {
    /// Reads it.
    #[cfg(feature = "gpu")]
    pub fn read() -> Self {
        Self::read_from(file())
    }

    /// Nothing is known where the file is missing or damaged.
    fn read_from(file: Option<PathBuf>) -> Self {
        let bytes = file.as_ref().and_then(|file| fs::read(file).ok());
        let known = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Self { file, known }
    }

    /// The speeds in a setting, if they were measured.
    pub fn get(&self, setting: &Setting) -> Option<Speeds> {
        self.known.iter().find(|known| known.setting == *setting).map(|known| known.speeds)
    }

    /// Writes down the speeds in a setting.
    pub fn keep(&mut self, setting: Setting, speeds: Speeds) {
        self.known.retain(|known| known.setting != setting);
        self.known.insert(0, Known { setting, speeds });
        self.known.truncate(MOST);
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

    fn setting(config: &str) -> Setting {
        Setting {
            program: "vivarium 0.1.0".into(),
            adapter: "NVIDIA X".into(),
            driver: "Vulkan, 1".into(),
            processor: "a processor".into(),
            threads: 16,
            experiment: "cartpole".into(),
            config: config.into(),
        }
    }

    fn speeds(steps: f64) -> Speeds {
        let speed = |steps| Speed { whole: Some(steps), updates: 0.5, steps };
        Speeds { gpu: speed(steps), cpu: Speed { whole: None, ..speed(0.25) } }
    }

    #[test]
    fn speeds_are_known_again_for_the_same_setting_alone() {
        let folder = TestFolder::new("known-speeds");
        let file = folder.path().join("new/folder/engines.json");
        let mut known = KnownSpeeds::read_from(Some(file.clone()));
        let (one, other) = (setting("{\"a\":0.1}"), setting("{\"a\":0.2}"));
        assert_eq!(known.get(&one), None);
        known.keep(one.clone(), speeds(2.0));
        known.keep(one.clone(), speeds(3.0));
        let read = || KnownSpeeds::read_from(Some(file.clone()));
        assert_eq!((read().get(&one), read().get(&other)), (Some(speeds(3.0)), None));
        assert_eq!(read().get(&Setting { threads: 2, ..one.clone() }), None);
        // The oldest make room.
        for number in 0..MOST {
            known.keep(setting(&number.to_string()), speeds(1.0));
        }
        assert_eq!((read().known.len(), read().get(&one)), (MOST, None));
        fs::write(&file, "[{").unwrap();
        assert_eq!(read().get(&setting("5")), None, "a damaged file is as good as none");
        KnownSpeeds::read_from(None).keep(one, speeds(1.0));
    }
}
