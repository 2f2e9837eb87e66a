//! `vivarium info`: machine, engines, GPU adapters and experiments.

use crate::error::CliError;
use crate::{machine, terminal};
use vivarium_kernels::simd;
use vivarium_lab::run_metadata::known_cpu_features;

/// Prints a description of machine, engines and GPU adapters, and the list of experiments.
///
/// # Errors
/// None; the return type is the same for all commands.
pub fn run() -> Result<(), CliError> {
    terminal::print_line(&format!(
        "\
vivarium {version}

Machine
  processor   {processor}
  cores       {cores} available
  features    {features}

Engines
  cpu         yes: {simd} on {cores} threads; all experiments
  gpu         {gpu}
  auto        {rule}

{adapters}
Networks of the program
{networks}

Experiments
{experiments}",
        version = machine::VERSION,
        processor = machine::processor(),
        cores = machine::cores(),
        features = features(),
        gpu = if cfg!(feature = "gpu") {
            "yes, if a GPU adapter is available"
        } else {
            "no: this build has no GPU engine"
        },
        rule = crate::engine::auto_rule(),
        adapters = adapters(),
        simd = simd::level_name(simd::level()),
        networks = crate::checkpoint_file::table(),
        experiments = crate::overview::experiments(),
    ));
    Ok(())
}

/// Formats the section "GPU adapters" of `vivarium info`: the descriptions of all adapters under a heading.
#[cfg(feature = "gpu")]
fn adapters() -> String {
    format!("GPU adapters\n{}\n", crate::gpu::describe_adapters())
}

#[cfg(not(feature = "gpu"))]
fn adapters() -> String {
    String::new()
}

/// Formats the CPU features that the kernels use: available features first, then missing features.
fn features() -> String {
    let known = known_cpu_features();
    let list = |there: bool| {
        let names = known.iter().filter(|(_, has)| *has == there).map(|(name, _)| *name);
        names.collect::<Vec<_>>().join(" ")
    };
    match (list(true), list(false)) {
        (here, missing) if missing.is_empty() => here,
        (here, missing) if here.is_empty() => format!("missing: {missing}"),
        (here, missing) => format!("{here}; missing: {missing}"),
    }
}
