//! Compilation of kernels.

use std::sync::Arc;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Compiled, Kernel};
use crate::lock::lock;

impl Gpu {
    /// Returns the kernel of this WGSL text and these values of its `override` constants. Compiles it on first use.
    ///
    /// # Errors
    /// [`GpuError::Shader`] with the compiler's message. In a browser, compile errors are reported later, by
    /// [`Gpu::check`].
    pub fn kernel(&self, label: &str, wgsl: &str, constants: &[(&str, f64)]) -> Result<Kernel, GpuError> {
        self.compile(label, wgsl, constants, true)
    }

    /// Returns a kernel that is compiled without bounds checks. All indices of the kernel must be within bounds for all
    /// inputs. In matrix products, bounds checks add one instruction for every few multiplications. Browsers always add
    /// the checks.
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
            // The loop counters that wgpu would add cost more than the additions of a matrix product.
            force_loop_bounding: false,
            ..wgpu::ShaderRuntimeChecks::checked()
        };
        // SAFETY: all kernels are part of this program, and the bound of each loop is constant in the loop. Accesses
        // out of bounds are checked, except in kernels whose indices are always within bounds.
        let module = unsafe { device.create_shader_module_trusted(descriptor, checks) };
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(label),
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                // Kernels write workgroup memory before they read it.
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

    /// Returns the number of kernels compiled since the device was opened.
    pub fn kernels_compiled(&self) -> usize {
        lock(&self.0.kernels).compiled
    }
}
