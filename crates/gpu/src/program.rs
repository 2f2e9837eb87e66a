//! Programs: kernel dispatches and copies, recorded once and submitted any number of times.

use std::ops::Range;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
#[cfg(not(target_arch = "wasm32"))]
use crate::lock::lock;
use crate::memory::{Buffer, CountedBuffer, WORD};

/// Maximum number of workgroups in one dimension of a dispatch.
const MOST_WORKGROUPS: u32 = 65_535;

/// A step of a program: a kernel dispatch, a copy between buffers, or zeroing of a buffer range.
enum ProgramStep {
    Dispatch { kernel: Kernel, group: wgpu::BindGroup, workgroups: [u32; 3] },
    Copy { from: Buffer, from_start: usize, to: Buffer, to_start: usize, words: usize },
    Clear { buffer: Buffer, range: Range<usize> },
}

/// Recorded sequence of kernel dispatches and copies, with bind groups and uniforms. Encoding a program for submission
/// creates no device objects.
pub struct GpuProgram {
    steps: Vec<ProgramStep>,
    /// Buffers of the bind groups, stored to keep them alive.
    _buffers: Vec<Buffer>,
    _uniforms: Option<CountedBuffer>,
    cost: Cost,
}

/// Amount of work that the device does in one run of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Number of kernel dispatches in one run of the program.
    pub dispatches: u64,
    /// Number of bytes that copy and clear commands write. Memory accesses of kernels are not included.
    pub bytes_copied: u64,
}

impl std::ops::Add for Cost {
    type Output = Cost;
    fn add(self, other: Cost) -> Cost {
        Cost {
            dispatches: self.dispatches + other.dispatches,
            bytes_copied: self.bytes_copied + other.bytes_copied,
        }
    }
}

impl std::ops::Mul<u64> for Cost {
    type Output = Cost;
    fn mul(self, times: u64) -> Cost {
        Cost { dispatches: self.dispatches * times, bytes_copied: self.bytes_copied * times }
    }
}

impl GpuProgram {
    /// Returns the number of dispatches, and of bytes copied, in one run of the program.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Divides the program into `parts` parts with about equal numbers of steps, and returns the step range of the part
    /// with index `part` (from 0). Slow programs are submitted in several parts.
    pub fn part(&self, part: usize, parts: usize) -> Range<usize> {
        let at = |part: usize| self.steps.len() * part / parts.max(1);
        at(part)..at(part + 1)
    }
}

/// Recorder of kernel dispatches and copies, from which it creates a [`GpuProgram`].
pub struct GpuRecorder {
    gpu: Gpu,
    steps: Vec<UnboundStep>,
    uniforms: Vec<u32>,
}

enum UnboundStep {
    Dispatch { kernel: Kernel, buffers: Vec<Buffer>, uniforms: Range<usize>, workgroups: [u32; 3] },
    Other(ProgramStep),
}

/// Returns the dispatch size of `count` workgroups over two dimensions, because one dimension holds at most 65,535. The
/// linear index of a workgroup is `id.x + id.y * 65535`. Kernels must ignore indices of `count` and above.
pub fn dispatch_size(count: usize) -> [u32; 3] {
    let count = count.max(1) as u32;
    if count <= MOST_WORKGROUPS {
        [count, 1, 1]
    } else {
        [MOST_WORKGROUPS, count.div_ceil(MOST_WORKGROUPS), 1]
    }
}

impl GpuRecorder {
    /// Creates a recorder without steps for programs on the device `gpu`.
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), steps: Vec::new(), uniforms: Vec::new() }
    }

    /// Returns the device on which the recorded program will run.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Records a dispatch of a kernel. `buffers` are in the order of the kernel's bindings; `uniforms` are the words of
    /// its uniform block, empty if the kernel has none. Writes of earlier steps are visible to the kernel.
    pub(crate) fn dispatch(
        &mut self,
        kernel: &Kernel,
        buffers: &[&Buffer],
        uniforms: &[u32],
        workgroups: [u32; 3],
    ) {
        let alignment =
            (self.gpu.0.device.limits().min_uniform_buffer_offset_alignment as u64 / WORD) as usize;
        let start = self.uniforms.len().next_multiple_of(alignment);
        if !uniforms.is_empty() {
            self.uniforms.resize(start, 0);
            self.uniforms.extend_from_slice(uniforms);
            // A uniform block is a multiple of 16 bytes.
            self.uniforms.resize(start + uniforms.len().next_multiple_of(4), 0);
        }
        self.steps.push(UnboundStep::Dispatch {
            kernel: kernel.clone(),
            buffers: buffers.iter().map(|&buffer| buffer.clone()).collect(),
            uniforms: if uniforms.is_empty() { start..start } else { start..self.uniforms.len() },
            workgroups,
        });
    }

    /// Records a copy of `words` 32-bit words from the buffer `from`, beginning at word offset `from_start`, to the
    /// buffer `to`, beginning at word offset `to_start`.
    pub fn copy(&mut self, from: &Buffer, from_start: usize, to: &Buffer, to_start: usize, words: usize) {
        let (from, to) = (from.clone(), to.clone());
        self.steps.push(UnboundStep::Other(ProgramStep::Copy { from, from_start, to, to_start, words }));
    }

    /// Records a step that sets a range of words in a buffer to zero.
    pub fn clear(&mut self, buffer: &Buffer, range: Range<usize>) {
        self.steps.push(UnboundStep::Other(ProgramStep::Clear { buffer: buffer.clone(), range }));
    }

    /// Creates the bind groups and the uniform buffer of all recorded dispatches, and returns the program.
    ///
    /// # Errors
    /// [`GpuError`] if the bindings of a kernel do not match its buffers, or memory for the uniforms is exhausted.
    pub fn finish(self) -> Result<GpuProgram, GpuError> {
        let Self { gpu, steps, uniforms } = self;
        gpu.check()?;
        let uniforms = match uniforms.len() as u64 * WORD {
            0 => None,
            size => {
                let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
                let buffer = gpu.create("the uniforms of a program", size, size, usage)?;
                gpu.0.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&uniforms));
                Some(buffer)
            }
        };
        let mut cost = Cost::default();
        let mut kept: Vec<Buffer> = Vec::new();
        let mut ready = Vec::with_capacity(steps.len());
        for step in steps {
            let step = match step {
                UnboundStep::Dispatch { kernel, buffers, uniforms: words, workgroups } => {
                    cost.dispatches += 1;
                    let uniforms = uniforms.as_deref().zip(Some(words));
                    let group = gpu.try_create(|device| bind(device, &kernel, &buffers, uniforms));
                    let group = group.map_err(|error| kernel.error(error))?;
                    for buffer in buffers {
                        if !kept.iter().any(|other| other.is_same_as(&buffer)) {
                            kept.push(buffer);
                        }
                    }
                    ProgramStep::Dispatch { kernel, group, workgroups }
                }
                UnboundStep::Other(step) => {
                    cost.bytes_copied += WORD
                        * match &step {
                            ProgramStep::Copy { words, .. } => *words as u64,
                            ProgramStep::Clear { range, .. } => range.len() as u64,
                            ProgramStep::Dispatch { .. } => 0,
                        };
                    step
                }
            };
            ready.push(step);
        }
        gpu.check()?;
        Ok(GpuProgram { steps: ready, _buffers: kept, _uniforms: uniforms, cost })
    }
}

fn bind(
    device: &wgpu::Device,
    kernel: &Kernel,
    buffers: &[Buffer],
    uniforms: Option<(&wgpu::Buffer, Range<usize>)>,
) -> wgpu::BindGroup {
    let mut entries: Vec<wgpu::BindGroupEntry> = buffers
        .iter()
        .zip(0..)
        .map(|(buffer, binding)| wgpu::BindGroupEntry { binding, resource: buffer.raw().as_entire_binding() })
        .collect();
    if let Some((buffer, words)) = uniforms.filter(|(_, words)| !words.is_empty()) {
        let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer,
            offset: words.start as u64 * WORD,
            size: std::num::NonZero::new(words.len() as u64 * WORD),
        });
        entries.push(wgpu::BindGroupEntry { binding: buffers.len() as u32, resource });
    }
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(&kernel.0.label),
        layout: &kernel.0.layout,
        entries: &entries,
    })
}

/// Encoder of one submission: appends programs, copies and zeroing of buffers to its command buffer.
pub struct Encoder {
    commands: wgpu::CommandEncoder,
    pass: Option<wgpu::ComputePass<'static>>,
}

impl Encoder {
    /// Appends all steps of a program to the submission.
    pub fn run(&mut self, program: &GpuProgram) {
        self.run_steps(program, 0..program.steps.len());
    }

    /// Appends the steps of a program with indices in `steps` to the submission; see [`GpuProgram::part`].
    pub fn run_steps(&mut self, program: &GpuProgram, steps: Range<usize>) {
        for step in &program.steps[steps] {
            match step {
                ProgramStep::Dispatch { kernel, group, workgroups } => {
                    let commands = &mut self.commands;
                    // Consecutive dispatches share a pass, because beginning a pass has a cost.
                    let pass = self.pass.get_or_insert_with(|| {
                        commands.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime()
                    });
                    pass.set_pipeline(&kernel.0.pipeline);
                    pass.set_bind_group(0, group, &[]);
                    pass.dispatch_workgroups(workgroups[0], workgroups[1], workgroups[2]);
                }
                ProgramStep::Copy { from, from_start, to, to_start, words } => {
                    self.copy(from, *from_start, to, *to_start, *words);
                }
                ProgramStep::Clear { buffer, range } => self.clear(buffer, range.clone()),
            }
        }
    }

    /// Appends all steps of a program to the submission `times` times.
    pub fn repeat(&mut self, program: &GpuProgram, times: usize) {
        (0..times).for_each(|_| self.run(program));
    }

    /// Appends a copy of `words` 32-bit words from the buffer `from`, beginning at word offset `from_start`, to the
    /// buffer `to`, beginning at word offset `to_start`.
    pub fn copy(&mut self, from: &Buffer, from_start: usize, to: &Buffer, to_start: usize, words: usize) {
        self.copy_raw(from, from_start, to.raw(), to_start, words);
    }

    pub(crate) fn copy_raw(
        &mut self,
        from: &Buffer,
        from_start: usize,
        to: &wgpu::Buffer,
        to_start: usize,
        words: usize,
    ) {
        let bytes = |words: usize| words as u64 * WORD;
        self.pass = None;
        self.commands.copy_buffer_to_buffer(
            from.raw(),
            bytes(from_start),
            to,
            bytes(to_start),
            Some(bytes(words)),
        );
    }

    /// Appends a command that sets a range of words in a buffer to zero.
    pub fn clear(&mut self, buffer: &Buffer, range: Range<usize>) {
        self.pass = None;
        let bytes = range.len() as u64 * WORD;
        self.commands.clear_buffer(buffer.raw(), range.start as u64 * WORD, Some(bytes));
    }
}

impl Gpu {
    /// Submits the work that the function `encode` appends to an encoder, as one submission. Does not wait for its
    /// completion.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost or reported an error.
    pub fn submit(&self, encode: impl FnOnce(&mut Encoder)) -> Result<(), GpuError> {
        self.check()?;
        let descriptor = wgpu::CommandEncoderDescriptor { label: None };
        let mut encoder = Encoder { commands: self.0.device.create_command_encoder(&descriptor), pass: None };
        encode(&mut encoder);
        drop(encoder.pass.take());
        let submission = self.0.queue.submit([encoder.commands.finish()]);
        #[cfg(not(target_arch = "wasm32"))]
        lock(&self.0.newest).replace(submission);
        #[cfg(target_arch = "wasm32")]
        drop(submission);
        self.check()
    }
}
