//! Compiled kernels and their cache.

use std::collections::HashMap;
use std::sync::Arc;

/// A compiled compute shader with entry point `main`. Its buffers are bindings 0, 1, … of group 0; the uniform block,
/// if any, is the next binding.
#[derive(Clone)]
pub struct Kernel(pub(crate) Arc<Compiled>);

pub(crate) struct Compiled {
    pub(crate) label: String,
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_tuple("Kernel").field(&self.0.label).finish()
    }
}

/// Number of cached kernels above which unused kernels are dropped: enough for about six networks of different sizes.
const MOST_KEPT: usize = 256;

/// Cache of compiled kernels, by source text and constants.
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

    /// Adds a kernel. A full cache first drops the kernels that are not in use.
    pub(crate) fn insert(&mut self, key: String, kernel: Kernel) {
        if self.kept.len() >= MOST_KEPT {
            self.kept.retain(|_, kernel| Arc::strong_count(&kernel.0) > 1);
        }
        self.kept.insert(key, kernel);
        self.compiled += 1;
    }
}
