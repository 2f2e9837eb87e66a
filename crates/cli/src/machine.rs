//! What machine this is: the line that every figure needs beside it.

use std::fs;

/// Cores that threads of this program can run on.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The processor's name as the system reports it, or its architecture.
pub fn processor() -> String {
    let named = fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| {
        let line = info.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    named.unwrap_or_else(|| format!("{} processor", std::env::consts::ARCH))
}

/// Bytes of memory that this program has in use, where the system reports them.
pub fn memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// Processor and cores on one line.
pub fn one_line() -> String {
    format!("{}, {} cores", processor(), cores())
}
