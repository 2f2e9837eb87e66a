//! GPU adapters: opening, self-check and description.

use vivarium_gpu::{AdapterChoice, AdapterInfo, Gpu, describe_failures, self_check};

/// Disables the device-select layer of the Mesa Vulkan drivers by setting an environment variable. Without a display,
/// the layer prints an error; the program selects devices without the layer.
///
/// # Safety
/// The program must have one thread only.
#[cfg(target_os = "linux")]
pub unsafe fn disable_mesa_device_select() {
    use std::env::{set_var, var_os};
    if var_os("XDG_RUNTIME_DIR").is_none() && var_os("NODEVICE_SELECT").is_none() {
        // SAFETY: the caller guarantees that no other thread reads the environment.
        unsafe { set_var("NODEVICE_SELECT", "1") };
    }
}

/// Opens a GPU adapter and runs the self-check. `name_part` is a part of the adapter's name; `None` selects the best
/// adapter.
///
/// # Errors
/// A message with the cause, as a clause without final punctuation.
pub fn open(name_part: Option<&str>) -> Result<Gpu, String> {
    let gpu = open_unchecked(name_part)?;
    run_self_check(&gpu)?;
    Ok(gpu)
}

/// Opens a GPU adapter and runs the self-check, as [`open`] does, but returns `None` for a software adapter. For
/// tests, the environment variable `VIVARIUM_AUTO_SOFTWARE=1` allows software adapters.
///
/// # Errors
/// A message with the cause, as a clause without final punctuation.
pub fn open_hardware(name_part: Option<&str>) -> Result<Option<Gpu>, String> {
    let is_allowed = std::env::var_os("VIVARIUM_AUTO_SOFTWARE").is_some_and(|value| value == "1");
    // Listing adapters is cheaper than opening one.
    if !is_allowed && Gpu::list_blocking().iter().all(|report| report.software) && name_part.is_none() {
        return Ok(None);
    }
    let gpu = open_unchecked(name_part)?;
    if gpu.adapter_info().software && !is_allowed {
        return Ok(None);
    }
    run_self_check(&gpu)?;
    Ok(Some(gpu))
}

/// Limits each wait for GPU results to 50 ms, so that a run can be interrupted. Returns the same GPU.
pub fn limit_waits(gpu: Gpu) -> Gpu {
    gpu.set_max_wait(std::time::Duration::from_millis(50));
    gpu
}

fn open_unchecked(name_part: Option<&str>) -> Result<Gpu, String> {
    let choice =
        name_part.map_or(AdapterChoice::Best, |name_part| AdapterChoice::Named(name_part.to_owned()));
    Gpu::open_blocking(&choice).map_err(|error| error.to_string())
}

/// Runs the self-check, which compares results of the GPU with results of the CPU. Returns the number of compared
/// results.
///
/// # Errors
/// A message with the names of the results that differ, or with the error of the device.
fn run_self_check(gpu: &Gpu) -> Result<usize, String> {
    let checked = pollster::block_on(self_check(gpu)).map_err(|error| error.to_string())?;
    describe_failures(&checked).map_or(Ok(checked.len()), Err)
}

/// Formats the descriptions of all adapters, several lines each, for `vivarium info`.
pub fn describe_adapters() -> String {
    let found = Gpu::list_blocking();
    if found.is_empty() {
        return "  none: no Vulkan or Metal driver, or the driver lists no device".to_owned();
    }
    found.iter().map(describe_adapter).collect::<Vec<_>>().join("\n")
}

fn describe_adapter(report: &AdapterInfo) -> String {
    let offers: Vec<&str> = [(report.subgroups, "subgroups"), (report.half_precision, "half precision")]
        .into_iter()
        .filter_map(|(there, name)| there.then_some(name))
        .collect();
    let opened = Gpu::open_blocking(&AdapterChoice::Named(report.name.clone()));
    let state = match opened.map_err(|error| error.to_string()).and_then(|gpu| run_self_check(&gpu)) {
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
            "software rasterizer: correct, but slower than --engine cpu"
        } else {
            "GPU"
        },
        largest = report.largest_buffer >> 20,
        offers = if offers.is_empty() { "WebGPU core only".to_owned() } else { offers.join(", ") },
    )
}
