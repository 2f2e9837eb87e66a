//! Compiling kernels.

use std::sync::Arc;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Compiled, Kernel};
use crate::lock::lock;

impl Gpu {
    /// The kernel of this WGSL with these values for its `override` constants, compiled the first time that it is asked for.
    ///
    /// # Errors
    /// [`GpuError::Shader`] with the compiler's words; in a browser a refusal is only known later, by
    /// [`check`](Gpu::check).
    pub fn kernel(&self, label: &str, wgsl: &str, constants: &[(&str, f64)]) -> Result<Kernel, GpuError> {
        self.compile(label, wgsl, constants, true)
    }

    /// [`kernel`](Gpu::kernel) for one whose every index is known to be within bounds, whatever its numbers: without a check
    /// at each. In a matrix product such a check is an instruction for every few that compute. A browser checks all the same.
    pub(crate) fn kernel_within_bounds(&self, label: &str, wgsl: &str) -> Result<Kernel, GpuError> {
        self.compile(label, wgsl, &[], false)
    }

    fn compile(
        &self,
        label: &str,
        wgsl: &str,
        constants: &[(&str, f64)],
        bounds_checks: bool,
    ) -> Result<Kernel, GpuError> {
        let key = format!("{bounds_checks}{constants:?}{wgsl}");
        if let Some(kernel) = lock(&self.0.kernels).get(&key) {
            return Ok(kernel);
        }
        self.check()?;
        let device = &self.0.device;
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(wgsl.into()),
        };
        let checks = wgpu::ShaderRuntimeChecks {
            bounds_checks,
            // A counter in every loop of a matrix product would cost more than its additions.
            force_loop_bounding: false,
            ..wgpu::ShaderRuntimeChecks::checked()
        };
        // SAFETY: all kernels are the program's own, and each of their loops runs to a bound that it does not change. Reads
        // and writes out of bounds are caught, but for kernels that have none.
        let module = unsafe { device.create_shader_module_trusted(descriptor, checks) };
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(label),
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                // Every kernel writes what it reads of a workgroup's memory.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        });
        match self.take_fault() {
            None => {}
            Some(GpuError::Device { reason }) => {
                return Err(GpuError::Shader { kernel: label.to_owned(), reason });
            }
            Some(other) => return Err(other),
        }
        let layout = pipeline.get_bind_group_layout(0);
        let kernel = Kernel(Arc::new(Compiled { label: label.to_owned(), pipeline, layout }));
        lock(&self.0.kernels).insert(key, kernel.clone());
        Ok(kernel)
    }

    /// How many kernels were compiled since the device was opened.
    pub fn kernels_compiled(&self) -> usize {
        lock(&self.0.kernels).compiled
    }
}
