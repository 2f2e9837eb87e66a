//! GPU adapters: opening, self-check and description.

use vivarium_gpu::{AdapterChoice, AdapterInfo, Gpu, describe_failures, self_check};

/// Disables Mesa's device-select layer, which prints an error without a display, by setting an environment variable.
/// The program does not need the layer to select a device.
///
/// # Safety
/// No other thread may have been started.
#[cfg(target_os = "linux")]
pub unsafe fn quieten_mesa() {
    use std::env::{set_var, var_os};
    if var_os("XDG_RUNTIME_DIR").is_none() && var_os("NODEVICE_SELECT").is_none() {
        // SAFETY: the caller guarantees that no other thread reads the environment.
        unsafe { set_var("NODEVICE_SELECT", "1") };
    }
}

/// Opens an adapter and runs the self-check. `piece` is a part of the adapter's name; `None` selects the best adapter.
///
/// # Errors
/// Cause of the failure, phrased as a clause that ends a sentence.
pub fn open(piece: Option<&str>) -> Result<Gpu, String> {
    let gpu = open_unchecked(piece)?;
    check(&gpu)?;
    Ok(gpu)
}

/// Opens an adapter like [`open`], but returns `None` for a software adapter. The variable `VIVARIUM_AUTO_SOFTWARE=1`
/// allows software adapters, for tests.
///
/// # Errors
/// Same as [`open`].
pub fn open_real(piece: Option<&str>) -> Result<Option<Gpu>, String> {
    let is_allowed = std::env::var_os("VIVARIUM_AUTO_SOFTWARE").is_some_and(|value| value == "1");
    // Listing adapters is cheaper than opening one.
    if !is_allowed && Gpu::list_blocking().iter().all(|report| report.software) && piece.is_none() {
        return Ok(None);
    }
    let gpu = open_unchecked(piece)?;
    if gpu.adapter_info().software && !is_allowed {
        return Ok(None);
    }
    check(&gpu)?;
    Ok(Some(gpu))
}

/// Limits each wait for GPU results to 50 ms, so that a run can be interrupted, and returns the GPU.
pub fn for_training(gpu: Gpu) -> Gpu {
    gpu.set_max_wait(std::time::Duration::from_millis(50));
    gpu
}

fn open_unchecked(piece: Option<&str>) -> Result<Gpu, String> {
    let choice = piece.map_or(AdapterChoice::Best, |piece| AdapterChoice::Named(piece.to_owned()));
    Gpu::open_blocking(&choice).map_err(|error| error.to_string())
}

/// Runs the self-check: compares results of the GPU with those of the CPU. Returns the number of compared results.
///
/// # Errors
/// The names of the results that differ, or the device error.
fn check(gpu: &Gpu) -> Result<usize, String> {
    let checked = pollster::block_on(self_check(gpu)).map_err(|error| error.to_string())?;
    describe_failures(&checked).map_or(Ok(checked.len()), Err)
}

/// Formats a description of every adapter in a few lines, for `vivarium info`.
pub fn describe() -> String {
    let found = Gpu::list_blocking();
    if found.is_empty() {
        return "  none: no Vulkan or Metal driver, or the driver lists no device".to_owned();
    }
    found.iter().map(adapter).collect::<Vec<_>>().join("\n")
}

fn adapter(report: &AdapterInfo) -> String {
    let offers: Vec<&str> = [(report.subgroups, "subgroups"), (report.half_precision, "half precision")]
        .into_iter()
        .filter_map(|(there, name)| there.then_some(name))
        .collect();
    let opened = Gpu::open_blocking(&AdapterChoice::Named(report.name.clone()));
    let state = match opened.map_err(|error| error.to_string()).and_then(|gpu| check(&gpu)) {
        Ok(count) => format!("ready: the self-check passes, {count} results agree with the CPU's"),
        Err(why) => format!("unusable: {why}"),
    };
    format!(
        "  {name}
    driver    {backend}, {driver}
    kind      {kind}
    limits    {largest} MiB per buffer
    features  {offers}
    state     {state}",
        name = report.name,
        backend = report.backend,
        driver = if report.driver.is_empty() { "unnamed driver" } else { &report.driver },
        kind = if report.software {
            "software rasterizer: correct, but slower than the engine cpu"
        } else {
            "GPU"
        },
        largest = report.largest_buffer >> 20,
        offers = if offers.is_empty() { "WebGPU core only".to_owned() } else { offers.join(", ") },
    )
}
