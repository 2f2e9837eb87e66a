//! Compiled kernels and their cache.

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::GpuError;

/// A compiled compute shader with entry point `main`. Its buffers are bindings 0, 1, … of group 0; the uniform block,
/// if any, is the next binding.
#[derive(Clone)]
pub(crate) struct Kernel(pub(crate) Arc<Compiled>);

pub(crate) struct Compiled {
    pub(crate) label: String,
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
}

impl Kernel {
    /// Converts a wgpu error from the compilation or binding of this kernel to [`GpuError::Shader`] with its label.
    pub(crate) fn error(&self, error: wgpu::Error) -> GpuError {
        GpuError::Shader { kernel: self.0.label.clone(), reason: error.to_string() }
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_tuple("Kernel").field(&self.0.label).finish()
    }
}

/// Run-time checks that wgpu adds to a kernel. Browsers always add all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuntimeChecks {
    /// wgpu checks all indices and limits the number of iterations of each loop. Safe for any kernel.
    All,
    /// wgpu checks all indices, but not the loops. All loops of the kernel must be finite.
    Indices,
    /// wgpu adds no checks. All loops of the kernel must be finite, and all indices within bounds.
    None,
}

impl RuntimeChecks {
    /// Converts the run-time checks to the settings with which wgpu compiles a kernel.
    pub(crate) fn descriptor(self) -> wgpu::ShaderRuntimeChecks {
        wgpu::ShaderRuntimeChecks {
            bounds_checks: self != Self::None,
            force_loop_bounding: self == Self::All,
            ..wgpu::ShaderRuntimeChecks::checked()
        }
    }
}

/// Number of cached kernels above which kernels that no program uses are dropped: enough for about six networks of
/// different sizes.
const MOST_KEPT: usize = 256;

/// Cache of compiled kernels. The key of a kernel consists of its run-time checks and its source text.
#[derive(Default)]
pub(crate) struct KernelCache {
    kept: HashMap<String, Kernel>,
    /// Number of kernels compiled since the device was opened.
    pub(crate) compiled: usize,
}

impl KernelCache {
    pub(crate) fn get(&self, key: &str) -> Option<Kernel> {
        self.kept.get(key).cloned()
    }

    /// Adds a compiled kernel to the cache. A full cache first drops the kernels that no program uses.
    pub(crate) fn insert(&mut self, key: String, kernel: Kernel) {
        if self.kept.len() >= MOST_KEPT {
            self.kept.retain(|_, kernel| Arc::strong_count(&kernel.0) > 1);
        }
        self.kept.insert(key, kernel);
        self.compiled += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::RuntimeChecks;

    #[test]
    fn loops_and_indices_are_checked_unless_the_caller_vouches_for_them() {
        let checks = |checks: RuntimeChecks| {
            let descriptor = checks.descriptor();
            (descriptor.force_loop_bounding, descriptor.bounds_checks)
        };
        assert_eq!(checks(RuntimeChecks::All), (true, true));
        assert_eq!(checks(RuntimeChecks::Indices), (false, true));
        assert_eq!(checks(RuntimeChecks::None), (false, false));
    }
}
