//! The device: adapter selection, limits, and detection of errors.

use std::sync::{Arc, Mutex};
#[cfg(not(target_arch = "wasm32"))]
use std::{sync::OnceLock, time::Duration};

use crate::error::GpuError;
use crate::kernel::KernelCache;
use crate::lock::lock;
use crate::memory::BufferPool;

/// Choice of the adapter (GPU or software renderer) to open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AdapterChoice {
    /// The adapter of the fastest available kind: discrete GPUs come first, then integrated and virtual GPUs, other
    /// adapters, software adapters.
    #[default]
    Best,
    /// The first adapter whose name contains this text, case-insensitive. Browsers choose the adapter themselves and
    /// ignore this choice.
    Named(String),
}

/// Name, driver and capabilities of an adapter (GPU or software renderer).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterInfo {
    /// Adapter name, such as "NVIDIA H200". Browsers may hide it.
    pub name: String,
    /// Graphics API through which the adapter is accessed, such as "vulkan" or "webgpu".
    pub backend: String,
    /// Driver name and version; empty if the adapter does not report them.
    pub driver: String,
    /// Whether the adapter is a software renderer: correct, but slower than the CPU engine.
    pub software: bool,
    /// Maximum size in bytes of a buffer that a kernel can bind.
    pub largest_buffer: u64,
    /// Whether kernels may use subgroup operations on this adapter.
    pub subgroups: bool,
    /// Whether kernels may use half-precision numbers (`shader-f16`) on this adapter.
    pub half_precision: bool,
}

/// A WebGPU limit: its name, a function that returns the adapter's value of the limit, and the minimum value that the
/// kernels require.
type Limit = (&'static str, fn(&wgpu::Limits) -> u64, u64);

/// Limits that an adapter must offer because the kernels require them. All required values are within the default
/// limits of WebGPU.
const NEEDED: [Limit; 4] = [
    ("maxStorageBuffersPerShaderStage", |limits| limits.max_storage_buffers_per_shader_stage.into(), 8),
    ("maxComputeInvocationsPerWorkgroup", |limits| limits.max_compute_invocations_per_workgroup.into(), 256),
    ("maxComputeWorkgroupStorageSize", |limits| limits.max_compute_workgroup_storage_size.into(), 16_384),
    ("maxComputeWorkgroupsPerDimension", |limits| limits.max_compute_workgroups_per_dimension.into(), 65_535),
];

/// An open GPU device. Clones of the handle refer to the same device.
#[derive(Clone)]
pub struct Gpu(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    report: AdapterInfo,
    fault: Arc<Mutex<Option<GpuError>>>,
    pub(crate) pool: Arc<BufferPool>,
    pub(crate) kernels: Mutex<KernelCache>,
    /// wgpu's index of the most recent submission to the queue; `None` before the first submission.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) newest: Mutex<Option<wgpu::SubmissionIndex>>,
    /// Maximum time that [`ReadbackRing::poll`](crate::ReadbackRing::poll) blocks; unlimited if unset.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) max_wait: OnceLock<Duration>,
}

impl std::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_tuple("Gpu").field(&self.0.report.name).finish()
    }
}

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.flags = wgpu::InstanceFlags::empty();
    wgpu::Instance::new(descriptor)
}

fn report(adapter: &wgpu::Adapter) -> AdapterInfo {
    let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
    let driver = format!("{} {}", info.driver, info.driver_info);
    // Browsers do not report the type of a software adapter, only its name.
    let software = info.device_type == wgpu::DeviceType::Cpu
        || ["swiftshader", "llvmpipe"].iter().any(|name| info.name.to_lowercase().contains(name));
    AdapterInfo {
        name: if info.name.is_empty() { "unnamed".to_owned() } else { info.name },
        backend: if cfg!(target_arch = "wasm32") { "webgpu".to_owned() } else { info.backend.to_string() },
        driver: driver.trim().to_owned(),
        software,
        largest_buffer: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
        subgroups: features.contains(wgpu::Features::SUBGROUP),
        half_precision: features.contains(wgpu::Features::SHADER_F16),
    }
}

/// Returns all adapters of this machine, fastest kind first: discrete, integrated and virtual GPUs, then other and
/// software adapters.
#[cfg(not(target_arch = "wasm32"))]
async fn adapters() -> Vec<wgpu::Adapter> {
    let mut found = instance().enumerate_adapters(wgpu::Backends::all()).await;
    found.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    found
}

#[cfg(not(target_arch = "wasm32"))]
async fn choose(choice: &AdapterChoice) -> Result<wgpu::Adapter, GpuError> {
    let found = adapters().await;
    let names: Vec<String> = found.iter().map(|adapter| adapter.get_info().name).collect();
    let no_adapter = |reason: String| GpuError::NoAdapter { reason };
    let mut found = found.into_iter();
    match choice {
        AdapterChoice::Best => found.next().ok_or_else(|| {
            no_adapter("no Vulkan or Metal driver is installed, or the driver lists no device".to_owned())
        }),
        AdapterChoice::Named(piece) => {
            let wanted = piece.to_lowercase();
            found.find(|adapter| adapter.get_info().name.to_lowercase().contains(&wanted)).ok_or_else(|| {
                no_adapter(format!("no adapter name contains {piece:?}; available: {}", names.join(", ")))
            })
        }
    }
}

#[cfg(target_arch = "wasm32")]
async fn choose(_: &AdapterChoice) -> Result<wgpu::Adapter, GpuError> {
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..wgpu::RequestAdapterOptions::default()
    };
    instance()
        .request_adapter(&options)
        .await
        .map_err(|error| GpuError::NoAdapter { reason: format!("the browser returned no adapter ({error})") })
}

/// Converts a wgpu error for which [`GpuError`] has no more specific variant to [`GpuError::Device`].
pub(crate) fn device_error(error: wgpu::Error) -> GpuError {
    let reason = match error {
        wgpu::Error::OutOfMemory { .. } => {
            "out of memory; reduce the batch or the network, or close other programs that use the GPU"
                .to_owned()
        }
        error => error.to_string(),
    };
    GpuError::Device { reason }
}

impl Gpu {
    /// Opens the adapter that `choice` selects, and returns its device.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], [`GpuError::TooSmall`] or [`GpuError::NotOpened`].
    pub async fn open(choice: &AdapterChoice) -> Result<Gpu, GpuError> {
        let adapter = choose(choice).await?;
        let report = report(&adapter);
        let offered = adapter.limits();
        for (limit, of, needed) in NEEDED {
            let found = of(&offered);
            if found < needed {
                return Err(GpuError::TooSmall {
                    adapter: report.name,
                    limit: limit.to_owned(),
                    needed,
                    found,
                });
            }
        }
        // Only buffer sizes exceed the WebGPU defaults: kernels that run here run on every WebGPU adapter.
        let wanted = wgpu::Limits {
            max_buffer_size: offered.max_buffer_size,
            max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
            ..wgpu::Limits::default()
        };
        let features = adapter.features() & (wgpu::Features::SUBGROUP | wgpu::Features::SHADER_F16);
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("vivarium"),
                required_features: features,
                required_limits: wanted,
                ..wgpu::DeviceDescriptor::default()
            })
            .await
            .map_err(|error| GpuError::NotOpened {
                adapter: report.name.clone(),
                reason: error.to_string(),
            })?;

        let fault: Arc<Mutex<Option<GpuError>>> = Arc::default();
        let slot = fault.clone();
        device.set_device_lost_callback(move |_, reason| {
            let reason = if reason.is_empty() { "no reason was given".to_owned() } else { reason };
            // The loss of the device replaces any earlier error.
            *lock(&slot) = Some(GpuError::Lost { reason });
        });
        let slot = fault.clone();
        device.on_uncaptured_error(Arc::new(move |error| {
            // Keeps the first error, because later errors are consequences of it.
            lock(&slot).get_or_insert(device_error(error));
        }));
        Ok(Gpu(Arc::new(Inner {
            pool: Arc::new(BufferPool::new(report.largest_buffer)),
            kernels: Mutex::default(),
            #[cfg(not(target_arch = "wasm32"))]
            newest: Mutex::default(),
            #[cfg(not(target_arch = "wasm32"))]
            max_wait: OnceLock::new(),
            device,
            queue,
            report,
            fault,
        })))
    }

    /// Opens the adapter that `choice` selects and returns its device, as [`open`](Gpu::open) does. Blocks the calling
    /// thread.
    ///
    /// # Errors
    /// Errors of [`open`](Gpu::open).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open_blocking(choice: &AdapterChoice) -> Result<Gpu, GpuError> {
        pollster::block_on(Self::open(choice))
    }

    /// Returns all adapters of this machine without opening them, fastest kind first (the order of
    /// [`AdapterChoice::Best`]).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn list_blocking() -> Vec<AdapterInfo> {
        pollster::block_on(adapters()).iter().map(report).collect()
    }

    /// Returns name, driver and capabilities of the adapter on which this device was opened.
    pub fn adapter_info(&self) -> &AdapterInfo {
        &self.0.report
    }

    /// Returns whether `self` and `other` are handles of the same open device.
    pub fn is_same_as(&self, other: &Gpu) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the first error of the device, if any. After an error the contents of buffers are undefined. Natively,
    /// errors are available immediately; in a browser, some time later.
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device was lost, otherwise the first error that the device reported.
    pub fn check(&self) -> Result<(), GpuError> {
        lock(&self.0.fault).clone().map_or(Ok(()), Err)
    }

    /// Calls `create`, which creates device objects, and returns the error that the call caused. Such an error does not
    /// reach [`check`](Gpu::check), so the device stays usable. In a browser `create` has no error scope and only
    /// `check` reports the error: a scope resolves a promise, for which this synchronous method cannot wait.
    pub(crate) fn try_create<T>(&self, create: impl FnOnce(&wgpu::Device) -> T) -> Result<T, wgpu::Error> {
        let device = &self.0.device;
        // Error scopes belong to the calling thread; errors of other threads remain separate.
        #[cfg(not(target_arch = "wasm32"))]
        let scopes =
            [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory]
                .map(|filter| device.push_error_scope(filter));
        let created = create(device);
        #[cfg(not(target_arch = "wasm32"))]
        {
            // All scopes must be popped, in reverse order.
            let popped = scopes.into_iter().rev().map(|scope| pollster::block_on(scope.pop()));
            if let Some(error) = popped.fold(None, Option::or) {
                return Err(error);
            }
        }
        Ok(created)
    }

    /// Destroys the device; later calls report it as lost. For tests.
    pub fn destroy(&self) {
        self.0.device.destroy();
        #[cfg(not(target_arch = "wasm32"))]
        let _ = self.0.device.poll(wgpu::PollType::Poll);
        lock(&self.0.fault).get_or_insert(GpuError::Lost { reason: "the device was destroyed".to_owned() });
    }

    /// Runs pending callbacks of the device. In a browser, the callbacks run between tasks without this call.
    pub(crate) fn poll(&self) {
        #[cfg(not(target_arch = "wasm32"))]
        let _ = self.0.device.poll(wgpu::PollType::Poll);
    }

    /// Sets the maximum time that [`ReadbackRing::poll`](crate::ReadbackRing::poll) blocks, so that a program can be
    /// interrupted during device work. Only the first call has an effect.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn set_max_wait(&self, max_wait: Duration) {
        let _ = self.0.max_wait.set(max_wait);
    }

    /// Returns the number of submissions that may be in flight at the same time: `most`, except on a software adapter
    /// after [`set_max_wait`](Self::set_max_wait), where it is 1. There, a second submission may block the thread until
    /// the first completes, which would exceed the maximum wait.
    pub fn max_in_flight(&self, most: usize) -> usize {
        #[cfg(not(target_arch = "wasm32"))]
        if self.0.report.software && self.0.max_wait.get().is_some() {
            return 1;
        }
        most
    }

    /// Blocks until all submitted work is complete.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost or reported an error.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self) -> Result<(), GpuError> {
        self.wait_for(None, None).map(drop)
    }

    /// Blocks until a submission is complete, at most for `timeout`. `None` selects the most recent submission. Returns
    /// whether the submission is complete.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost or reported an error.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn wait_for(
        &self,
        submission: Option<wgpu::SubmissionIndex>,
        timeout: Option<Duration>,
    ) -> Result<bool, GpuError> {
        let waited = self.0.device.poll(wgpu::PollType::Wait { submission_index: submission, timeout });
        self.check()?;
        match waited {
            Ok(_) => Ok(true),
            Err(wgpu::PollError::Timeout) => Ok(false),
            Err(error) => Err(GpuError::Lost { reason: error.to_string() }),
        }
    }
}
