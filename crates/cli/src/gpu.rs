//! The GPUs of this machine: opened, checked, and described.

use vivarium_gpu::{AdapterChoice, Gpu, AdapterInfo, describe_failures, self_check};

/// Keeps Mesa's layer that sorts devices from looking for a display, and from complaining on standard error that there is
/// none: this program sorts devices itself.
///
/// # Safety
/// No other thread may have been started.
#[cfg(target_os = "linux")]
pub unsafe fn quieten_mesa() {
    use std::env::{set_var, var_os};
    if var_os("XDG_RUNTIME_DIR").is_none() && var_os("NODEVICE_SELECT").is_none() {
        // SAFETY: there is no thread that could read the environment at the same time, as the caller vouches for.
        unsafe { set_var("NODEVICE_SELECT", "1") };
    }
}

/// Opens an adapter, the best or the one whose name has `piece` in it, and checks its kernels against the CPU's.
///
/// # Errors
/// Why it cannot be used, as words that a sentence can go on with.
pub fn open(piece: Option<&str>) -> Result<Gpu, String> {
    let gpu = open_unchecked(piece)?;
    check(&gpu)?;
    Ok(gpu)
}

/// Opens an adapter likewise, unless it is software. With `VIVARIUM_AUTO_SOFTWARE=1`, which is for tests, software will do.
///
/// # Errors
/// Those of [`open`].
pub fn open_real(piece: Option<&str>) -> Result<Option<Gpu>, String> {
    let is_allowed = std::env::var_os("VIVARIUM_AUTO_SOFTWARE").is_some_and(|value| value == "1");
    // To list adapters takes less than to open one, and there is nothing to open on most machines without a GPU.
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

fn open_unchecked(piece: Option<&str>) -> Result<Gpu, String> {
    let choice = piece.map_or(AdapterChoice::Best, |piece| AdapterChoice::Named(piece.to_owned()));
    Gpu::open_blocking(&choice).map_err(|error| error.to_string())
}

/// How many things the device computes as the CPU does.
///
/// # Errors
/// What it computes otherwise, or cannot.
fn check(gpu: &Gpu) -> Result<usize, String> {
    let checked = pollster::block_on(self_check(gpu)).map_err(|error| error.to_string())?;
    describe_failures(&checked).map_or(Ok(checked.len()), Err)
}

/// Every adapter in a few lines, for `vivarium info`.
pub fn describe() -> String {
    let found = Gpu::list_blocking();
    if found.is_empty() {
        return "  none: there is no Vulkan or Metal driver, or it lists no device".to_owned();
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
        Err(why) => format!("cannot be used: {why}"),
    };
    format!(
        "  {name}
    driver    {backend}, {driver}
    kind      {kind}
    limits    one buffer may have {largest} MiB
    offers    {offers}
    state     {state}",
        name = report.name,
        backend = report.backend,
        driver = if report.driver.is_empty() { "driver unnamed" } else { &report.driver },
        kind = if report.software {
            "a program on the processor: right, but slower than the engine cpu"
        } else {
            "a graphics processor"
        },
        largest = report.largest_buffer >> 20,
        offers = if offers.is_empty() { "nothing beyond WebGPU".to_owned() } else { offers.join(", ") },
    )
}
