//! Description of GPU adapters.

use vivarium_gpu::{AdapterChoice, AdapterInfo, Gpu};

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
    let state = match opened.map_err(|error| error.to_string()).and_then(|gpu| gpu.self_check_blocking()) {
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
