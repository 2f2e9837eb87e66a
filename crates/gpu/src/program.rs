//! Programs: what the device is to do, recorded once and submitted any number of times.

use std::ops::Range;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
#[cfg(not(target_arch = "wasm32"))]
use crate::lock::lock;
use crate::memory::{Buffer, Counted, WORD};

/// The most workgroups along one dimension.
const MOST_WORKGROUPS: u32 = 65_535;

/// One thing to do.
enum Step {
    Dispatch { kernel: Kernel, group: wgpu::BindGroup, workgroups: [u32; 3] },
    Copy { from: Buffer, from_start: usize, to: Buffer, to_start: usize, words: usize },
    Clear { buffer: Buffer, range: Range<usize> },
}

/// Steps with everything that they need: encoding it makes nothing new on the device.
pub struct Program {
    steps: Vec<Step>,
    /// Kept for the bind groups that look into them.
    _buffers: Vec<Buffer>,
    _uniforms: Option<Counted>,
    cost: Cost,
}

/// What encoding a program once asks of the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Kernels started.
    pub dispatches: u64,
    /// Bytes copied or cleared, apart from what kernels read and write.
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

impl Program {
    /// What encoding it once asks of the device.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Its steps `part` of `parts` of about as many steps: what a device is slow at can be submitted in several parts.
    pub fn part(&self, part: usize, parts: usize) -> Range<usize> {
        let at = |part: usize| self.steps.len() * part / parts.max(1);
        at(part)..at(part + 1)
    }
}

/// Writes a [`Program`].
pub struct Recorder {
    gpu: Gpu,
    steps: Vec<Draft>,
    uniforms: Vec<u32>,
}

enum Draft {
    Dispatch { kernel: Kernel, buffers: Vec<Buffer>, uniforms: Range<usize>, workgroups: [u32; 3] },
    Other(Step),
}

/// `count` workgroups spread over two dimensions, since one may not hold them all: a kernel's number of its workgroup is
/// `id.x + id.y * 65535` where more than 65,535 are possible, and it must leave alone what lies beyond its work.
pub fn spread(count: usize) -> [u32; 3] {
    let count = count.max(1) as u32;
    if count <= MOST_WORKGROUPS {
        [count, 1, 1]
    } else {
        [MOST_WORKGROUPS, count.div_ceil(MOST_WORKGROUPS), 1]
    }
}

impl Recorder {
    /// An empty one.
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), steps: Vec::new(), uniforms: Vec::new() }
    }

    /// The device that it records for.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Runs a kernel over these buffers, in the order of its bindings, with the words of its uniform block (none where it
    /// has none). Everything recorded before is visible to it.
    pub fn dispatch(&mut self, kernel: &Kernel, buffers: &[&Buffer], uniforms: &[u32], workgroups: [u32; 3]) {
        let alignment =
            (self.gpu.0.device.limits().min_uniform_buffer_offset_alignment as u64 / WORD) as usize;
        let start = self.uniforms.len().next_multiple_of(alignment);
        if !uniforms.is_empty() {
            self.uniforms.resize(start, 0);
            self.uniforms.extend_from_slice(uniforms);
            // A uniform block is a multiple of 16 bytes.
            self.uniforms.resize(start + uniforms.len().next_multiple_of(4), 0);
        }
        self.steps.push(Draft::Dispatch {
            kernel: kernel.clone(),
            buffers: buffers.iter().map(|&buffer| buffer.clone()).collect(),
            uniforms: if uniforms.is_empty() { start..start } else { start..self.uniforms.len() },
            workgroups,
        });
    }

    /// Compiles a shader and runs it over these buffers, in the order of its bindings. `wgsl` is its text, in parts; the uniform
    /// block `u` of these names and words, at least one, is declared for it.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device's compiler refuses the shader.
    pub fn run(
        &mut self,
        label: &str,
        wgsl: &[&str],
        buffers: &[&Buffer],
        uniforms: &[(&str, usize)],
        workgroups: [u32; 3],
    ) -> Result<(), GpuError> {
        let fields: String = uniforms.iter().map(|(name, _)| format!("{name}: u32, ")).collect();
        let binding = format!("@group(0) @binding({}) var<uniform> u: Uniforms;", buffers.len());
        let block = format!("struct Uniforms {{ {fields}}}\n{binding}\n");
        let kernel = self.gpu.kernel(label, &[&*block, &*wgsl.concat()].concat(), &[])?;
        let words: Vec<u32> = uniforms.iter().map(|&(_, word)| word as u32).collect();
        self.dispatch(&kernel, buffers, &words, workgroups);
        Ok(())
    }

    /// [`run`](Self::run) for a shader of a function `fn each(i: u32)`, which is called for every `i` below `count`, an invocation
    /// each. The uniform block has the count besides.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device's compiler refuses the shader.
    pub fn for_each(
        &mut self,
        label: &str,
        wgsl: &[&str],
        buffers: &[&Buffer],
        uniforms: &[(&str, usize)],
        count: usize,
    ) -> Result<(), GpuError> {
        let text = [crate::shader!("each.wgsl"), &wgsl.concat()];
        let uniforms = [uniforms, &[("count", count)]].concat();
        self.run(label, &text, buffers, &uniforms, spread(count.div_ceil(64)))
    }

    /// Copies words from one buffer to another.
    pub fn copy(&mut self, from: &Buffer, from_start: usize, to: &Buffer, to_start: usize, words: usize) {
        let (from, to) = (from.clone(), to.clone());
        self.steps.push(Draft::Other(Step::Copy { from, from_start, to, to_start, words }));
    }

    /// Sets words to zero.
    pub fn clear(&mut self, buffer: &Buffer, range: Range<usize>) {
        self.steps.push(Draft::Other(Step::Clear { buffer: buffer.clone(), range }));
    }

    /// The program, ready to be encoded.
    ///
    /// # Errors
    /// [`GpuError`] where the device refuses a step, such as a kernel with other bindings than it was given, or has no room
    /// for the uniforms.
    pub fn finish(self) -> Result<Program, GpuError> {
        let Self { gpu, steps, uniforms } = self;
        gpu.check()?;
        let uniforms = match uniforms.len() as u64 * WORD {
            0 => None,
            size => {
                let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
                let buffer = gpu.create("a program's uniforms", size, size, usage)?;
                gpu.0.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&uniforms));
                Some(buffer)
            }
        };
        let mut cost = Cost::default();
        let mut kept: Vec<Buffer> = Vec::new();
        let mut ready = Vec::with_capacity(steps.len());
        for step in steps {
            let step = match step {
                Draft::Dispatch { kernel, buffers, uniforms: words, workgroups } => {
                    cost.dispatches += 1;
                    let group = bind(&gpu, &kernel, &buffers, uniforms.as_deref().zip(Some(words)));
                    if let Some(GpuError::Device { reason }) = gpu.take_fault() {
                        return Err(GpuError::Shader { kernel: kernel.0.label.clone(), reason });
                    }
                    for buffer in buffers {
                        if !kept.iter().any(|other| other.is_same_as(&buffer)) {
                            kept.push(buffer);
                        }
                    }
                    Step::Dispatch { kernel, group, workgroups }
                }
                Draft::Other(step) => {
                    cost.bytes_copied += WORD
                        * match &step {
                            Step::Copy { words, .. } => *words as u64,
                            Step::Clear { range, .. } => range.len() as u64,
                            Step::Dispatch { .. } => 0,
                        };
                    step
                }
            };
            ready.push(step);
        }
        gpu.check()?;
        Ok(Program { steps: ready, _buffers: kept, _uniforms: uniforms, cost })
    }
}

fn bind(
    gpu: &Gpu,
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
    gpu.0.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(&kernel.0.label),
        layout: &kernel.0.layout,
        entries: &entries,
    })
}

/// Gathers the programs of one submission.
pub struct Encoder {
    commands: wgpu::CommandEncoder,
    pass: Option<wgpu::ComputePass<'static>>,
}

impl Encoder {
    /// Does a program after everything that was encoded before.
    pub fn run(&mut self, program: &Program) {
        self.run_steps(program, 0..program.steps.len());
    }

    /// Does some steps of a program after everything that was encoded before.
    pub fn run_steps(&mut self, program: &Program, steps: Range<usize>) {
        for step in &program.steps[steps] {
            match step {
                Step::Dispatch { kernel, group, workgroups } => {
                    let commands = &mut self.commands;
                    // One pass for as many dispatches as follow each other: beginning one is not free.
                    let pass = self.pass.get_or_insert_with(|| {
                        commands.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime()
                    });
                    pass.set_pipeline(&kernel.0.pipeline);
                    pass.set_bind_group(0, group, &[]);
                    pass.dispatch_workgroups(workgroups[0], workgroups[1], workgroups[2]);
                }
                Step::Copy { from, from_start, to, to_start, words } => {
                    self.copy(from, *from_start, to, *to_start, *words);
                }
                Step::Clear { buffer, range } => self.clear(buffer, range.clone()),
            }
        }
    }

    /// Does a program several times.
    pub fn repeat(&mut self, program: &Program, times: usize) {
        (0..times).for_each(|_| self.run(program));
    }

    /// Copies words from one buffer to another.
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

    /// Sets words to zero.
    pub fn clear(&mut self, buffer: &Buffer, range: Range<usize>) {
        self.pass = None;
        let bytes = range.len() as u64 * WORD;
        self.commands.clear_buffer(buffer.raw(), range.start as u64 * WORD, Some(bytes));
    }
}

impl Gpu {
    /// Hands the device what `encode` writes, as one submission, and returns at once.
    ///
    /// # Errors
    /// The loss of the device, or an error that it reported.
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
