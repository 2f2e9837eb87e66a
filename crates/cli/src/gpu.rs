//! The GPUs of this machine: opened, checked, and told of.

use vivarium_gpu::{AdapterChoice, Gpu, Report};

/// Opens an adapter, the best or the one whose name has `piece` in it, and checks its kernels against the CPU's.
///
/// # Errors
/// Why it cannot be used, as words that a sentence can go on with.
pub fn open(piece: Option<&str>) -> Result<Gpu, String> {
    let choice = piece.map_or(AdapterChoice::Best, |piece| AdapterChoice::Named(piece.to_owned()));
    Gpu::open_blocking(&choice).map_err(|error| error.to_string())
}

/// Every adapter in a few lines, for `vivarium info`.
pub fn describe() -> String {
    let found = Gpu::list_blocking();
    if found.is_empty() {
        return "  none: there is no Vulkan or Metal driver, or it lists no device".to_owned();
    }
    found.iter().map(adapter).collect::<Vec<_>>().join("\n")
}

fn adapter(report: &Report) -> String {
    let offers: Vec<&str> = [(report.subgroups, "subgroups"), (report.half_precision, "half precision")]
        .into_iter()
        .filter_map(|(there, name)| there.then_some(name))
        .collect();
    let state = match open(Some(&report.name)) {
        Ok(_) => "ready".to_owned(),
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
