//! Engine options of the command line.

use crate::machine;
use crate::values::whole;
use clap::{Args, ValueEnum};

/// Compute engine of a run or a search: value of `--engine`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// All cores, with the widest available SIMD
    Cpu,
    /// A GPU
    Gpu,
    /// The faster engine for this run, by measurement; `vivarium info` prints the rule
    #[default]
    Auto,
}

/// Request for a compute engine: values of the engine options of a command line.
#[derive(Clone, Copy, Debug)]
pub struct EngineRequest<'a> {
    /// Value of `--engine`.
    pub engine: EngineChoice,
    /// Value of `--adapter`: a part of the adapter's name.
    pub adapter: Option<&'a str>,
    /// Number of CPU threads: the value of `--threads`, or else the number of cores.
    #[cfg_attr(
        not(feature = "gpu"),
        expect(dead_code, reason = "there is nothing to compare the threads with")
    )]
    pub threads: usize,
}

/// Engine options of commands that search with a network: `vivarium eval` and `vivarium solve`.
#[derive(Args, Clone, Debug)]
pub struct SearchEngineArgs {
    /// Compute engine of the beam search (cube3 only)
    #[arg(long, value_enum, default_value = "cpu", hide_possible_values = false)]
    engine: EngineChoice,
    /// GPU adapter, by a part of its name; `vivarium info` lists the adapters [default: the best adapter]
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Number of worker threads of the network methods, 1 to 1024; exact and two-phase use one [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    threads: Option<u16>,
}

impl SearchEngineArgs {
    /// Returns whether the options select an adapter, or an engine other than the CPU.
    pub fn is_given(&self) -> bool {
        self.engine != EngineChoice::Cpu || self.adapter.is_some()
    }

    /// Returns the number of worker threads: the value of `--threads`, or else the number of cores.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(machine::cores, usize::from)
    }

    /// Returns the values of the engine options as a request.
    pub fn request(&self) -> EngineRequest<'_> {
        EngineRequest { engine: self.engine, adapter: self.adapter.as_deref(), threads: self.threads() }
    }
}
