//! Opening of a GPU with the self-check, for native front ends.

use crate::device::Gpu;
use crate::{AdapterChoice, describe_failures, self_check};
use std::time::Duration;

/// Maximum time in milliseconds that a program waits for GPU results at a time, so that it can be interrupted.
const MAX_WAIT_MS: u64 = 50;

impl Gpu {
    /// Opens a GPU adapter, and runs the self-check. `name_part` is a part of the adapter's name; `None` selects the
    /// best adapter.
    ///
    /// # Errors
    /// A message with the cause, as a clause without final punctuation.
    pub fn open_checked_blocking(name_part: Option<&str>) -> Result<Self, String> {
        let gpu = open_unchecked(name_part)?;
        gpu.self_check_blocking()?;
        Ok(gpu)
    }

    /// Opens a GPU adapter and runs the self-check, as [`open_checked_blocking`](Gpu::open_checked_blocking) does, but
    /// returns `None` for a software adapter. For tests, the environment variable `VIVARIUM_AUTO_SOFTWARE=1` allows
    /// software adapters.
    ///
    /// # Errors
    /// A message with the cause, as a clause without final punctuation.
    pub fn open_hardware_blocking(name_part: Option<&str>) -> Result<Option<Self>, String> {
        let is_allowed = std::env::var_os("VIVARIUM_AUTO_SOFTWARE").is_some_and(|value| value == "1");
        // Listing adapters is cheaper than opening one.
        if !is_allowed && Self::list_blocking().iter().all(|report| report.software) && name_part.is_none() {
            return Ok(None);
        }
        let gpu = open_unchecked(name_part)?;
        if gpu.adapter_info().software && !is_allowed {
            return Ok(None);
        }
        gpu.self_check_blocking()?;
        Ok(Some(gpu))
    }

    /// Runs the [self-check](self_check), which compares results of the GPU with results of the CPU. Returns the number
    /// of compared results.
    ///
    /// # Errors
    /// A message with the names of the results that differ, or with the error of the device.
    pub fn self_check_blocking(&self) -> Result<usize, String> {
        let checked = pollster::block_on(self_check(self)).map_err(|error| error.to_string())?;
        describe_failures(&checked).map_or(Ok(checked.len()), Err)
    }

    /// Limits each wait for GPU results to 50 ms, so that a run can be interrupted. Returns the same GPU.
    #[must_use]
    pub fn with_limited_waits(self) -> Self {
        self.set_max_wait(Duration::from_millis(MAX_WAIT_MS));
        self
    }
}

fn open_unchecked(name_part: Option<&str>) -> Result<Gpu, String> {
    let choice =
        name_part.map_or(AdapterChoice::Best, |name_part| AdapterChoice::Named(name_part.to_owned()));
    Gpu::open_blocking(&choice).map_err(|error| error.to_string())
}
