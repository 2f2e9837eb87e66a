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

/// Compiled kernels by text and constants.
#[derive(Default)]
pub(crate) struct Kernels(pub(crate) HashMap<String, Kernel>);
