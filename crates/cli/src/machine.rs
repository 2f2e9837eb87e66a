//! Description of the program and the machine: version, commit, processor, cores and memory.

use std::fs;

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

/// Returns the names of the available CPU features that the kernels use.
pub fn cpu_features() -> Vec<&'static str> {
    known_cpu_features().into_iter().filter_map(|(name, is_available)| is_available.then_some(name)).collect()
}

/// Returns the CPU features that the kernels use, and whether each is available.
#[cfg(target_arch = "x86_64")]
pub fn known_cpu_features() -> Vec<(&'static str, bool)> {
    vec![
        ("sse4.2", is_x86_feature_detected!("sse4.2")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512dq", is_x86_feature_detected!("avx512dq")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
    ]
}

/// Returns the CPU features that the kernels use, and whether each is available.
#[cfg(target_arch = "aarch64")]
pub fn known_cpu_features() -> Vec<(&'static str, bool)> {
    vec![("neon", std::arch::is_aarch64_feature_detected!("neon"))]
}

/// Returns the CPU features that the kernels use, and whether each is available.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub fn known_cpu_features() -> Vec<(&'static str, bool)> {
    Vec::new()
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
