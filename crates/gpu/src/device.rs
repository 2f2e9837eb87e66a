//! The device: which adapter, what it can do, whether it is still there.

use std::sync::{Arc, Mutex};
#[cfg(not(target_arch = "wasm32"))]
use std::{sync::OnceLock, time::Duration};

use crate::error::GpuError;
use crate::kernel::Kernels;
use crate::lock::lock;
use crate::memory::Pool;

/// Which adapter to open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AdapterChoice {
    /// The fastest kind that is there: a GPU of its own, one that shares the processor's memory, any other, and last of
    /// all a program that imitates one.
    #[default]
    Best,
    /// The first whose name contains this text, letters' case aside. Has no effect in a browser, which chooses itself.
    Named(String),
}

/// What an adapter is and offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The name that its driver gives, such as "NVIDIA H200"; browsers may keep it to themselves.
    pub name: String,
    /// The interface that it is driven by, such as "vulkan" or "webgpu".
    pub backend: String,
    /// The driver and its version, as far as the adapter reports them.
    pub driver: String,
    /// Whether it is a program on the processor: right, but slower than the CPU engine.
    pub software: bool,
    /// The largest single buffer that a kernel may see, in bytes.
    pub largest_buffer: u64,
    /// Whether kernels may work across the lanes of a subgroup.
    pub subgroups: bool,
    /// Whether kernels may compute in half precision.
    pub half_precision: bool,
}

/// A limit's name in WebGPU, how to ask for it, and how much is needed.
type Limit = (&'static str, fn(&wgpu::Limits) -> u64, u64);

/// What the kernels are written for, all of it among the least that WebGPU guarantees.
const NEEDED: [Limit; 4] = [
    ("maxStorageBuffersPerShaderStage", |limits| limits.max_storage_buffers_per_shader_stage.into(), 8),
    ("maxComputeInvocationsPerWorkgroup", |limits| limits.max_compute_invocations_per_workgroup.into(), 256),
    ("maxComputeWorkgroupStorageSize", |limits| limits.max_compute_workgroup_storage_size.into(), 16_384),
    ("maxComputeWorkgroupsPerDimension", |limits| limits.max_compute_workgroups_per_dimension.into(), 65_535),
];

/// An open GPU. Copies of the handle are the same GPU.
#[derive(Clone)]
pub struct Gpu(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    report: Report,
    fault: Arc<Mutex<Option<GpuError>>>,
    pub(crate) pool: Arc<Pool>,
    pub(crate) kernels: Mutex<Kernels>,
    /// The newest submission.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) newest: Mutex<Option<wgpu::SubmissionIndex>>,
    /// How long [`Ring::arrive`](crate::Ring::arrive) waits; without a limit where it is not set.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) patience: OnceLock<Duration>,
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

fn report(adapter: &wgpu::Adapter) -> Report {
    let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
    let driver = format!("{} {}", info.driver, info.driver_info);
    // A browser names its software adapter without saying what kind it is.
    let software = info.device_type == wgpu::DeviceType::Cpu
        || ["swiftshader", "llvmpipe"].iter().any(|name| info.name.to_lowercase().contains(name));
    Report {
        name: if info.name.is_empty() { "unnamed".to_owned() } else { info.name },
        backend: if cfg!(target_arch = "wasm32") { "webgpu".to_owned() } else { info.backend.to_string() },
        driver: driver.trim().to_owned(),
        software,
        largest_buffer: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
        subgroups: features.contains(wgpu::Features::SUBGROUP),
        half_precision: features.contains(wgpu::Features::SHADER_F16),
    }
}

/// The adapters that there are, best first.
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
            no_adapter("there is no Vulkan or Metal driver, or it lists no device".to_owned())
        }),
        AdapterChoice::Named(piece) => {
            let wanted = piece.to_lowercase();
            found.find(|adapter| adapter.get_info().name.to_lowercase().contains(&wanted)).ok_or_else(|| {
                no_adapter(format!("none has {piece:?} in its name; there are: {}", names.join(", ")))
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
        .map_err(|error| GpuError::NoAdapter { reason: format!("the browser offers none ({error})") })
}

impl Gpu {
    /// Opens an adapter.
    ///
    /// # Errors
    /// [`GpuError`] saying that there is none, that it is too small, or why its driver refused.
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
        // Nothing but the size of buffers goes beyond what every WebGPU adapter has: a kernel that runs here runs there.
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
            // Whatever else went wrong, that the device is gone is what matters now.
            *lock(&slot) = Some(GpuError::Lost { reason });
        });
        let slot = fault.clone();
        device.on_uncaptured_error(Arc::new(move |error| {
            let reason = match error {
                // Natively it is taken back at once, and reported with what there was no room for.
                wgpu::Error::OutOfMemory { .. } => {
                    "its memory is full; make the batch or the network smaller, or end what else uses it"
                        .to_owned()
                }
                error => error.to_string(),
            };
            // The first error is the cause; the others follow from it.
            lock(&slot).get_or_insert(GpuError::Device { reason });
        }));
        Ok(Gpu(Arc::new(Inner {
            pool: Arc::new(Pool::new(report.largest_buffer)),
            kernels: Mutex::default(),
            #[cfg(not(target_arch = "wasm32"))]
            newest: Mutex::default(),
            #[cfg(not(target_arch = "wasm32"))]
            patience: OnceLock::new(),
            device,
            queue,
            report,
            fault,
        })))
    }

    /// [`open`](Gpu::open) on the calling thread.
    ///
    /// # Errors
    /// Those of [`open`](Gpu::open).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open_blocking(choice: &AdapterChoice) -> Result<Gpu, GpuError> {
        pollster::block_on(Self::open(choice))
    }

    /// All adapters of this machine, best first, whether they would open or not.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn list_blocking() -> Vec<Report> {
        pollster::block_on(adapters()).iter().map(report).collect()
    }

    /// What this one is.
    pub fn report(&self) -> &Report {
        &self.0.report
    }

    /// Whether both handles are of one open GPU.
    pub fn is_same_as(&self, other: &Gpu) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether everything went well so far. Once it did not, the state of buffers is unknown; natively it is known at once,
    /// in a browser some time later.
    ///
    /// # Errors
    /// The loss of the device, or the first error that it reported.
    pub fn check(&self) -> Result<(), GpuError> {
        lock(&self.0.fault).clone().map_or(Ok(()), Err)
    }

    /// Takes an error that was just caused natively out of the slot, so that the engine goes on without what was refused.
    pub(crate) fn take_fault(&self) -> Option<GpuError> {
        let mut fault = lock(&self.0.fault);
        if matches!(&*fault, Some(GpuError::Lost { .. })) { fault.clone() } else { fault.take() }
    }

    /// Destroys the device at once, so that later calls report it as lost: for tests of that case.
    pub fn destroy(&self) {
        self.0.device.destroy();
        #[cfg(not(target_arch = "wasm32"))]
        let _ = self.0.device.poll(wgpu::PollType::Poll);
        lock(&self.0.fault).get_or_insert(GpuError::Lost { reason: "it was given back".to_owned() });
    }

    /// Lets callbacks run that are due. In a browser they run by themselves, between tasks.
    pub(crate) fn poll(&self) {
        #[cfg(not(target_arch = "wasm32"))]
        let _ = self.0.device.poll(wgpu::PollType::Poll);
    }

    /// Has learners look up from work on the device after at most this long, so that a program can end in the middle of it.
    /// The first call counts.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait_at_most(&self, patience: Duration) {
        let _ = self.0.patience.set(patience);
    }

    /// Submissions that a learner has under way at once, of which it has room for `most`. A driver in software may hold the
    /// thread that hands over a second one until the first is done, so that nothing could look up in between.
    pub fn under_way_at_once(&self, most: usize) -> usize {
        #[cfg(not(target_arch = "wasm32"))]
        if self.0.report.software && self.0.patience.get().is_some() {
            return 1;
        }
        most
    }

    /// Waits until all submitted work is done.
    ///
    /// # Errors
    /// The loss of the device, or an error that it reported.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self) -> Result<(), GpuError> {
        self.wait_for(None, None).map(drop)
    }

    /// Waits until a submission is done, the newest one where none is named, and at most for `timeout`. Returns whether it is.
    ///
    /// # Errors
    /// The loss of the device, or an error that it reported.
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
