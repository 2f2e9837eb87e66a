//! Choice of the engine of an experiment: `cpu`, `gpu` or `auto`.

use vivarium_graph::Cpu;
use vivarium_lab::{AnyExhibit, Engine, LabError};
#[cfg(feature = "gpu")]
use {
    super::session::supply_text, std::path::Path, std::time::Instant, vivarium_exhibits::REGISTRY,
    vivarium_gpu::Gpu, vivarium_lab::speed,
};

/// Engines that a caller can request.
const ENGINES: [&str; 3] = ["cpu", "gpu", "auto"];

/// Engine that the user of an experiment requests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestedEngine {
    Cpu,
    Gpu,
    /// The engine that trains faster in a measurement; the CPU if there is no hardware GPU.
    Auto,
}

impl RequestedEngine {
    /// Returns the engine with the name `name`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the engines.
    pub(super) fn named(name: &str) -> Result<Self, LabError> {
        match name {
            "cpu" => Ok(Self::Cpu),
            "gpu" => Ok(Self::Gpu),
            "auto" => Ok(Self::Auto),
            other => {
                let allowed = format!("allowed is one of {}", ENGINES.join(", "));
                Err(LabError::invalid("engine", format!("{other:?}"), allowed))
            }
        }
    }

    /// Moves `experiment` to the engine. With `Auto`, the preparation of the run, such as tokenizer training, is
    /// completed first if there is a hardware GPU.
    ///
    /// # Errors
    /// [`LabError::Engine`] if the GPU cannot be used; other errors of the experiment.
    pub(super) fn apply(self, experiment: &mut dyn AnyExhibit, cpu: &Cpu) -> Result<(), LabError> {
        match self {
            Self::Cpu => experiment.set_engine(Engine::Cpu),
            Self::Gpu => experiment.set_engine(open_gpu()?),
            Self::Auto => choose_faster(experiment, cpu),
        }
    }
}

#[cfg(feature = "gpu")]
fn open_gpu() -> Result<Engine, LabError> {
    let gpu = Gpu::open_checked_blocking(None);
    let gpu = gpu.map_err(|why| LabError::engine(format!("engine = gpu: {why}; use \"cpu\" or \"auto\"")))?;
    Ok(Engine::Gpu(gpu.with_limited_waits()))
}

#[cfg(not(feature = "gpu"))]
fn open_gpu() -> Result<Engine, LabError> {
    Err(LabError::engine("engine = gpu: this build has no GPU engine; use \"cpu\" or \"auto\""))
}

/// Moves `experiment` to the faster engine. The experiment stays on the CPU if there is no hardware GPU, or if the GPU
/// cannot train it.
#[cfg(feature = "gpu")]
fn choose_faster(experiment: &mut dyn AnyExhibit, cpu: &Cpu) -> Result<(), LabError> {
    if experiment.is_cpu_only() || experiment.missing_data().is_some() {
        return Ok(());
    }
    let Ok(Some(gpu)) = Gpu::open_hardware_blocking(None) else { return Ok(()) };
    let gpu = gpu.with_limited_waits();
    // The run completes its preparation before it is copied, so that the copies do not repeat it.
    while experiment.is_preparing() {
        cpu.install(|| experiment.advance(cpu))?;
    }
    let mut copy = REGISTRY.open(&experiment.pack())?;
    if let Some(text) = copy.missing_data().map(str::to_owned) {
        supply_text(copy.as_mut(), Path::new(&text))?;
    }
    let start = Instant::now();
    let clock = &mut || start.elapsed().as_secs_f64();
    if speed::measure_engines(copy.as_mut(), &gpu, cpu, clock).is_ok_and(|speeds| speeds.prefers_gpu()) {
        // An error means that the GPU cannot hold the run, which then stays on the CPU.
        let _ = experiment.set_engine(Engine::Gpu(gpu));
    }
    Ok(())
}

#[cfg(not(feature = "gpu"))]
fn choose_faster(_: &mut dyn AnyExhibit, _: &Cpu) -> Result<(), LabError> {
    Ok(())
}
