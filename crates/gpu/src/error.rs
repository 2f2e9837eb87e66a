//! Errors of the GPU engine.

/// Error of the GPU engine. Data that was read back earlier stays valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// No adapter was found.
    #[error("no GPU adapter was found: {reason}")]
    NoAdapter {
        /// Reason reported by the driver or browser.
        reason: String,
    },
    /// The adapter exists but could not be opened.
    #[error("the GPU {adapter} could not be opened: {reason}")]
    NotOpened {
        /// Name of the adapter.
        adapter: String,
        /// Error message of the driver.
        reason: String,
    },
    /// The adapter's limits are below those that the kernels need.
    #[error(
        "the GPU {adapter} has insufficient limits: {limit} is {found}, but {needed} is required; use the CPU engine"
    )]
    TooSmall {
        /// Name of the adapter.
        adapter: String,
        /// Name of the limit in the WebGPU specification.
        limit: String,
        /// Value of the limit that the kernels require.
        needed: u64,
        /// Value of the limit that the adapter offers.
        found: u64,
    },
    /// An execution plan has an operation that this build has no kernel for.
    #[error("the GPU engine does not support the operation {operation}; train on the CPU")]
    Unsupported {
        /// Name of the operation.
        operation: &'static str,
    },
    /// The dynamics of an environment have no WGSL form.
    #[error("the GPU engine does not support the environment {world}; train on the CPU")]
    UnsupportedWorld {
        /// Name of the environment.
        world: &'static str,
    },
    /// A single buffer would exceed the adapter's maximum buffer size.
    #[error("{what} needs {needed} bytes in one buffer, and the GPU allows at most {allowed}")]
    BufferTooLarge {
        /// Purpose of the buffer.
        what: String,
        /// Requested size in bytes.
        needed: u64,
        /// Maximum buffer size in bytes.
        allowed: u64,
    },
    /// The device memory is full, and the buffer pool has no unused buffers left to release.
    #[error(
        "the GPU is out of memory: {what} needs {bytes} bytes, and {held} bytes are in use{}; reduce the batch or the \
        network, close other programs that use the GPU, or train on the CPU",
        allowed.map_or(String::new(), |allowed| format!(" (limit {allowed})"))
    )]
    OutOfMemory {
        /// Purpose of the buffer.
        what: String,
        /// Requested size of the buffer in bytes.
        bytes: u64,
        /// Bytes that this program has allocated.
        held: u64,
        /// Maximum number of allocated bytes; `None` if no limit is set.
        allowed: Option<u64>,
    },
    /// A kernel failed to compile on this driver.
    #[error("the GPU kernel {kernel} failed to compile: {reason}")]
    Shader {
        /// Label of the kernel.
        kernel: String,
        /// Error message of the compiler.
        reason: String,
    },
    /// The caller waits for a readback, but no copy was submitted, so that the wait would never end.
    #[error("no readback is in flight; submit a copy before waiting for its result")]
    NoReadback,
    /// The device was lost: unplugged, reset by its driver, or closed by the browser.
    #[error("the GPU was lost: {reason}")]
    Lost {
        /// Reason reported by the driver or browser.
        reason: String,
    },
    /// Any other error that the driver reports.
    #[error("the GPU reported an error: {reason}")]
    Device {
        /// Error message of the driver.
        reason: String,
    },
}
