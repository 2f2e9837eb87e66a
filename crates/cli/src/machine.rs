//! Description of the program and the machine: version, commit, processor, cores and memory.

use std::fs;
use vivarium_lab::run_metadata::Provenance;

/// Name and version of the program, such as "vivarium 0.1.0".
pub const PROGRAM: &str = concat!("vivarium ", env!("CARGO_PKG_VERSION"));

/// Version of the program with the git commit of its sources, if the build knew the commit.
pub const VERSION: &str = env!("VIVARIUM_VERSION");

/// Returns the git commit of the program's sources; `None` if the build did not know it.
pub fn commit() -> Option<&'static str> {
    Some(env!("VIVARIUM_COMMIT")).filter(|commit| !commit.is_empty())
}

/// Returns the name of the machine.
pub fn host() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}

/// Returns the origin of a training session of this process.
pub fn provenance() -> Provenance {
    Provenance {
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        program: PROGRAM.to_owned(),
        commit: commit().map(str::to_owned),
        host: host(),
        processor: processor(),
    }
}

/// Returns the number of CPU cores available to the program; 1 if unknown.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the name of the processor, or its architecture if the system does not report a name.
pub fn processor() -> String {
    let named = fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| {
        let line = info.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    named.unwrap_or_else(|| format!("{} processor", std::env::consts::ARCH))
}

/// Returns the resident memory of the program in bytes; `None` if the system does not report it.
pub fn memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// Formats the name of the processor and the number of cores, such as "AMD EPYC 7R13, 16 cores".
pub fn one_line() -> String {
    format!("{}, {} cores", processor(), cores())
}
