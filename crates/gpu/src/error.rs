//! What can go wrong with a GPU, in words for a person.

/// A refusal by the GPU engine. Whatever it says, nothing that was read back before is lost.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// There is nothing to run on.
    #[error("no GPU adapter was found: {reason}")]
    NoAdapter {
        /// Which adapter refused, and its message.
        reason: String,
    },
    /// The adapter exists and would not open.
    #[error("the GPU {adapter} could not be opened: {reason}")]
    NotOpened {
        /// Its name.
        adapter: String,
        /// What its driver said.
        reason: String,
    },
    /// The adapter offers less than the kernels need.
    #[error("the GPU {adapter} is too small: it allows {found} for {limit}, and {needed} are needed")]
    TooSmall {
        /// Its name.
        adapter: String,
        /// Which limit, in the words of WebGPU.
        limit: String,
        /// What is needed.
        needed: u64,
        /// What is offered.
        found: u64,
    },
    /// A plan has a step that no kernel computes yet.
    #[error("the GPU has no kernel for {operation} yet; train this on the CPU")]
    Unsupported {
        /// The operation.
        operation: &'static str,
    },
    /// More memory in one piece than the adapter gives.
    #[error("{what} needs {needed} bytes in one buffer, and the GPU allows at most {allowed}")]
    BufferTooLarge {
        /// What the buffer is for.
        what: String,
        /// Bytes asked for.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The memory of the device is full, with nothing of this program's left to give back.
    #[error(
        "the GPU has no room for {what}: it needs {bytes} bytes, and {held} bytes are in use already{}; make the batch or the \
         network smaller, end what else uses the GPU, or train on the CPU",
        allowed.map_or(String::new(), |allowed| format!(" of the {allowed} allowed"))
    )]
    OutOfMemory {
        /// What the buffer is for.
        what: String,
        /// Bytes needed.
        bytes: u64,
        /// Bytes that this program uses.
        held: u64,
        /// Bytes that it may use, where that is limited.
        allowed: Option<u64>,
    },
    /// A kernel did not compile on this driver.
    #[error("the GPU kernel {kernel} was refused: {reason}")]
    Shader {
        /// Its label.
        kernel: String,
        /// What the compiler said.
        reason: String,
    },
    /// The device went away: unplugged, reset by its driver, or taken by the browser.
    #[error("the GPU was lost: {reason}")]
    Lost {
        /// What is known about it.
        reason: String,
    },
    /// Anything else that the driver reports.
    #[error("the GPU reported an error: {reason}")]
    Device {
        /// What it said.
        reason: String,
    },
}
