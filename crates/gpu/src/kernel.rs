//! Kernels: WGSL compiled once.

use std::collections::HashMap;
use std::sync::Arc;

/// A compiled compute shader. Its entry point is called `main`; its buffers are the bindings 0, 1, … of group 0, and the
/// uniform block, if it has one, is the binding after them.
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

/// Kernels that are kept at most, apart from those in use: as many as half a dozen networks of different sizes have.
const MOST_KEPT: usize = 256;

/// Compiled kernels by text and constants.
#[derive(Default)]
pub(crate) struct Kernels {
    kept: HashMap<String, Kernel>,
    /// Since the device was opened.
    pub(crate) compiled: usize,
}

impl Kernels {
    pub(crate) fn get(&self, key: &str) -> Option<Kernel> {
        self.kept.get(key).cloned()
    }

    /// Keeps a kernel that was just compiled. Where there are too many, those that nobody uses go.
    pub(crate) fn insert(&mut self, key: String, kernel: Kernel) {
        if self.kept.len() >= MOST_KEPT {
            self.kept.retain(|_, kernel| Arc::strong_count(&kernel.0) > 1);
        }
        self.kept.insert(key, kernel);
        self.compiled += 1;
    }
}
