//! Errors of the GPU engine.

/// Error of the GPU engine. Data that was read back earlier stays valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// No GPU adapter matches the requested choice, or the machine has none.
    #[error("no GPU adapter was found: {reason}")]
    NoAdapter {
        /// Reason why no adapter was found, as reported by the driver or browser.
        reason: String,
    },
    /// The chosen adapter exists, but a device could not be opened on it.
    #[error("the GPU {adapter} could not be opened: {reason}")]
    NotOpened {
        /// Name of the adapter that could not be opened.
        adapter: String,
        /// Reason of the failure, as reported by the driver or browser.
        reason: String,
    },
    /// A limit of the adapter, such as its workgroup memory, is below the value that the kernels require.
    #[error(
        "the GPU {adapter} has insufficient limits: {limit} is {found}, but {needed} is required; use the CPU engine"
    )]
    TooSmall {
        /// Name of the adapter whose limit is too low.
        adapter: String,
        /// Name of the limit that is too low, as in the WebGPU specification.
        limit: String,
        /// Minimum value of the limit that the kernels require.
        needed: u64,
        /// Value of the limit that the adapter offers.
        found: u64,
    },
    /// An execution plan contains an operation that this build cannot compute on the device.
    #[error("the GPU engine does not support the operation {operation}; train on the CPU")]
    Unsupported {
        /// Name of the unsupported graph operation.
        operation: &'static str,
    },
    /// The dynamics of an environment are not available in WGSL.
    #[error("the GPU engine does not support the environment {world}; train on the CPU")]
    UnsupportedWorld {
        /// Name of the unsupported environment.
        world: &'static str,
    },
    /// A single buffer would exceed the adapter's maximum buffer size.
    #[error("{what} needs {needed} bytes in one buffer, and the GPU allows at most {allowed}")]
    BufferTooLarge {
        /// Purpose of the buffer that is too large.
        what: String,
        /// Requested size of the buffer in bytes.
        needed: u64,
        /// Maximum size of a single buffer on this adapter, in bytes.
        allowed: u64,
    },
    /// The device memory is full, and the buffer pool has no unused buffers left to release.
    #[error(
        "the GPU is out of memory: {what} needs {bytes} bytes, and {held} bytes are in use{}; reduce the batch or the \
        network, close other programs that use the GPU, or train on the CPU",
        allowed.map_or(String::new(), |allowed| format!(" (limit {allowed})"))
    )]
    OutOfMemory {
        /// Purpose of the buffer that could not be allocated.
        what: String,
        /// Requested size of the buffer in bytes.
        bytes: u64,
        /// Bytes of device memory that this program has already allocated.
        held: u64,
        /// Maximum number of device-memory bytes that this program may allocate; `None` if no limit is set.
        allowed: Option<u64>,
    },
    /// A kernel failed to compile, or its buffers could not be bound.
    #[error("the GPU kernel {kernel} failed to compile: {reason}")]
    Shader {
        /// Label of the kernel that failed to compile.
        kernel: String,
        /// Error message of the shader compiler.
        reason: String,
    },
    /// The caller waits for the result of a readback although no copy was submitted. The wait would never end.
    #[error("no readback is in flight; submit a copy before waiting for its result")]
    NoReadback,
    /// The device was lost: unplugged, reset by its driver, or closed by the browser.
    #[error("the GPU was lost: {reason}")]
    Lost {
        /// Reason of the loss, as reported by the driver or browser.
        reason: String,
    },
    /// The driver reported an error for which no other variant exists.
    #[error("the GPU reported an error: {reason}")]
    Device {
        /// Description of the error, as reported by the driver.
        reason: String,
    },
}
