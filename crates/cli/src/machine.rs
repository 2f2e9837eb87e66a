//! Description of the machine: processor, cores and memory.

use std::fs;

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
