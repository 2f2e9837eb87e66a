//! Compilation of WGSL text to kernels, with a cache.

use std::sync::Arc;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Compiled, Kernel, RuntimeChecks};
use crate::lock::lock;

impl Gpu {
    /// Returns the compiled kernel of a WGSL text. Compiles the kernel at its first use; later calls return the kernel
    /// from the cache.
    ///
    /// # Errors
    /// [`GpuError::Shader`] with the compiler's message, or, in a build with debug assertions, if a kernel without
    /// run-time checks has a loop that may be endless. In a browser, compile errors are reported later, by
    /// [`Gpu::check`].
    pub(crate) fn compile(&self, label: &str, wgsl: &str, checks: RuntimeChecks) -> Result<Kernel, GpuError> {
        let key = format!("{checks:?}{wgsl}");
        if let Some(kernel) = lock(&self.0.kernels).get(&key) {
            return Ok(kernel);
        }
        self.check()?;
        #[cfg(all(debug_assertions, not(target_arch = "wasm32")))]
        if checks != RuntimeChecks::All
            && let Ok(module) = wgpu::naga::front::wgsl::parse_str(wgsl)
            && let Some(function) = crate::loops::find_endless_loop(&module)
        {
            let reason = format!("the function `{function}` has a loop that may be endless");
            return Err(GpuError::Shader { kernel: label.to_owned(), reason });
        }
        let create = |device: &wgpu::Device| {
            let descriptor = wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(wgsl.into()),
            };
            let module = match checks {
                RuntimeChecks::All => device.create_shader_module(descriptor),
                // SAFETY: a shader has fewer checks only by an unsafe method of `Shader`, whose caller guarantees what
                // the omitted checks would enforce.
                RuntimeChecks::Indices | RuntimeChecks::None => unsafe {
                    device.create_shader_module_trusted(descriptor, checks.descriptor())
                },
            };
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(label),
                layout: None,
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &[],
                    // Kernels write workgroup memory before they read it.
                    zero_initialize_workgroup_memory: checks == RuntimeChecks::All,
                },
                cache: None,
            })
        };
        let pipeline = self
            .try_create(create)
            .map_err(|error| GpuError::Shader { kernel: label.to_owned(), reason: error.to_string() })?;
        self.check()?;
        let layout = pipeline.get_bind_group_layout(0);
        let kernel = Kernel(Arc::new(Compiled { label: label.to_owned(), pipeline, layout }));
        lock(&self.0.kernels).insert(key, kernel.clone());
        Ok(kernel)
    }

    /// Returns the number of kernels that were compiled since the device was opened; kernels taken from the cache do
    /// not count.
    pub fn kernels_compiled(&self) -> usize {
        lock(&self.0.kernels).compiled
    }
}
