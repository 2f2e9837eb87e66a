//! GPU programs (sequences of kernels) of a PPO iteration. They are recorded once and encoded in every iteration.

use super::super::config::PpoConfig;
use super::super::network::{self, INPUTS, LOG_STD, LossSettings, MEASUREMENTS, Policy};
use super::super::rollout::BLOCK_ENVS;
use super::layout::{MEASURED_ROWS, PpoLayout, progress};
use super::roll::{self, RollShader};
use crate::error::LearnerError;
use vivarium_envs::{ActionSpace, EnvSpec};
use vivarium_gpu::worlds::world_wgsl;
use vivarium_gpu::{
    Buffer, Cost, Encoder, Gpu, GpuError, GpuOptimizer, GpuPlan, GpuProgram, GpuRecorder, OptimizerControl,
    Shader, ShaderPart, dispatch_size,
};
use vivarium_gpu::{math_wgsl, sum_wgsl};
use vivarium_graph::Plan;
use vivarium_kernels::rng::permutation_sides;

/// Maximum number of minibatch rows (samples) whose metrics are summed by a single workgroup. The metrics of larger
/// minibatches are summed in two stages.
const MEASURED_AT_ONCE: usize = 4096;

/// Device buffers whose contents persist between iterations.
pub(super) struct PpoBuffers {
    pub settings: Buffer,
    pub progress: Buffer,
    pub envs: Buffer,
    pub parameters: Buffer,
    pub optimizer: GpuOptimizer,
}

impl PpoBuffers {
    pub fn new(gpu: &Gpu, layout: &PpoLayout) -> Result<Self, GpuError> {
        Ok(Self {
            settings: gpu.zeros("settings", layout.settings())?,
            progress: gpu.zeros("progress", layout.progress())?,
            envs: gpu.zeros("environments", layout.env_rows() * layout.num_envs)?,
            parameters: gpu.zeros("parameters", layout.parameters)?,
            optimizer: GpuOptimizer::new(gpu, layout.parameters)?,
        })
    }
}

/// All recorded GPU programs of an iteration; [`PpoPrograms::encode`] encodes the programs in order.
pub(super) struct PpoPrograms {
    begin: GpuProgram,
    /// Programs that take one or more steps of all environments, each with the number of times that a rollout runs the
    /// program.
    steps: Vec<(GpuProgram, usize)>,
    end: GpuProgram,
    minibatch: GpuProgram,
    /// Program of the gradient step on the last minibatch of an epoch, if that minibatch is smaller than all others;
    /// otherwise `None`.
    last: Option<GpuProgram>,
    epochs: usize,
    /// Number of minibatches of full size in an epoch.
    minibatches: usize,
    /// For each program of a gradient step: the device buffer that holds the scalar settings of the loss, and the
    /// word offset of each setting. The offset is `None` if the program does not use the setting.
    settings: Vec<(Buffer, [Option<usize>; LossSettings::COUNT])>,
}

impl PpoPrograms {
    pub fn new(
        gpu: &Gpu,
        config: &PpoConfig,
        spec: &EnvSpec,
        policy: &Policy,
        layout: &PpoLayout,
        memory: &PpoBuffers,
    ) -> Result<Self, LearnerError> {
        let graph = network::network(config, spec.observation_len, spec.actions);
        let act = Plan::compile(&graph.graph, &[graph.policy, graph.value], layout.num_envs)?;
        let learn = Plan::compile(&graph.graph.gradient(graph.loss), &graph.measurements, layout.minibatch)?;
        let text = PpoShaders::new(spec, layout)?;

        let (rows, values) = (layout.batch(), layout.batch() + layout.num_envs);
        let samples = gpu.zeros("samples", rows * layout.sample())?;
        // Three arrays: rewards, outcomes and values of all steps.
        let trajectory = gpu.zeros("trajectory", 2 * rows + values)?;
        // Mean and scale of the advantages of each minibatch. The initial values 0 and 1 disable normalization.
        let scales = gpu.upload("scales of advantages", &[0f32, 1.0].repeat(layout.updates))?;
        let rollout = RolloutRecorder {
            layout,
            memory,
            network: GpuPlan::new(gpu, &act, layout.num_envs)?,
            samples: &samples,
            trajectory: &trajectory,
            cut_observations: gpu
                .zeros("final observations", layout.cuts * layout.num_envs * layout.observation)?,
            scales: &scales,
            cut_values: gpu.zeros("final values", layout.cuts * layout.num_envs)?,
        };
        let log_std = policy.network.specs().iter().find(|spec| spec.name == LOG_STD);
        let begin = rollout.begin(gpu, &text, log_std.map(|spec| spec.offset))?;
        let steps = match RollShader::new(config, policy, layout.observation) {
            Some(roll) => rollout.roll(gpu, &text, &roll)?,
            None => vec![(rollout.step(gpu, &text)?, layout.horizon)],
        };
        let end = rollout.end(gpu, &text, config.normalize_advantages)?;

        let partials = gpu.zeros("partial sums", MEASUREMENTS * layout.minibatch.div_ceil(MEASURED_ROWS))?;
        let mut settings = Vec::new();
        let mut update = |rows: usize| -> Result<GpuProgram, LearnerError> {
            let network = GpuPlan::new(gpu, &learn, rows)?;
            let place = |setting: usize| {
                let range = network.input(INPUTS + setting);
                (!range.is_empty()).then_some(range.start)
            };
            settings.push((network.arena().clone(), std::array::from_fn(place)));
            let update = UpdateRecorder {
                layout,
                memory,
                network,
                samples: &samples,
                scales: &scales,
                partials: &partials,
            };
            update.record(gpu, &text)
        };
        let whole = layout.batch() / layout.minibatch;
        Ok(Self {
            begin,
            steps,
            end,
            minibatch: update(layout.minibatch)?,
            last: if whole < layout.epoch_updates { Some(update(layout.last_minibatch())?) } else { None },
            epochs: layout.epochs,
            minibatches: whole,
            settings,
        })
    }

    /// Writes the scalar settings of the loss, such as the clip range, to the buffers of all programs of gradient
    /// steps.
    pub fn write_settings(&self, gpu: &Gpu, values: LossSettings) {
        for (arena, places) in &self.settings {
            for (place, value) in places.iter().zip(values.numbers()) {
                if let Some(place) = place {
                    gpu.write(arena, *place, &[value]);
                }
            }
        }
    }

    /// Encodes all programs of an iteration into a command buffer: rollout, then the gradient steps of all epochs.
    pub fn encode(&self, encoder: &mut Encoder) {
        encoder.run(&self.begin);
        for (program, times) in &self.steps {
            encoder.repeat(program, *times);
        }
        encoder.run(&self.end);
        for _ in 0..self.epochs {
            encoder.repeat(&self.minibatch, self.minibatches);
            if let Some(last) = &self.last {
                encoder.run(last);
            }
        }
    }

    /// Returns the cost of an iteration: number of kernel dispatches, and number of bytes copied on the device.
    pub fn cost(&self) -> Cost {
        let once = self.begin.cost() + self.end.cost();
        let rollout =
            self.steps.iter().fold(once, |sum, (program, times)| sum + program.cost() * *times as u64);
        let last = self.last.as_ref().map_or(Cost::default(), GpuProgram::cost);
        rollout + (self.minibatch.cost() * self.minibatches as u64 + last) * self.epochs as u64
    }
}

/// WGSL source that several kernels include: constants of the buffer layouts, the environment's dynamics, and the
/// sampling of an action.
struct PpoShaders {
    layout: ShaderPart,
    world: ShaderPart,
    choose: &'static str,
}

impl PpoShaders {
    fn new(spec: &EnvSpec, layout: &PpoLayout) -> Result<Self, GpuError> {
        Ok(Self {
            layout: layout.part(),
            world: world_wgsl(spec)?,
            choose: match spec.actions {
                ActionSpace::Discrete(_) => vivarium_gpu::shader!("choose_discrete.wgsl"),
                ActionSpace::Box { .. } => vivarium_gpu::shader!("choose_box.wgsl"),
            },
        })
    }

    /// Returns a shader named `label`. Its source consists of `text` and the constants of the buffer layouts.
    fn plain<'a>(&self, label: &'a str, text: &[&str]) -> Shader<'a> {
        // SAFETY: each loop in the kernels of this folder and of the environments runs to a bound that the loop does
        // not change. `Gpu::compile` checks this in tests. Kernels write workgroup memory before they read it.
        unsafe { Shader::new(label, text).with_finite_loops() }.part(&self.layout)
    }

    /// Returns a shader whose source consists of `text`, the constants of the buffer layouts, the access to the
    /// environment buffer, and the environment's dynamics.
    fn of_world<'a>(&self, label: &'a str, text: &[&str]) -> Shader<'a> {
        let envs = [math_wgsl(), vivarium_gpu::shader!("envs.wgsl"), &*text.concat()];
        self.plain(label, &envs).part(&self.world)
    }

    /// Returns a shader like [`of_world`](Self::of_world) that also includes `act.wgsl`. The functions of `act.wgsl`
    /// sample the action of one environment, take one step, and update the statistics.
    fn acting<'a>(&self, label: &'a str, text: &str) -> Shader<'a> {
        self.of_world(label, &[self.choose, vivarium_gpu::shader!("act.wgsl"), text])
    }

    /// Returns a shader like [`plain`](Self::plain) that also includes `order.wgsl`, which computes the permutation
    /// of the samples in an epoch.
    fn ordered<'a>(&self, label: &'a str, text: &[&str]) -> Shader<'a> {
        self.plain(label, &[vivarium_gpu::shader!("order.wgsl"), &*text.concat()])
    }
}

/// Returns the uniforms that `order.wgsl` (permutation of the samples) reads, as pairs of name and value.
fn order(layout: &PpoLayout) -> [(&'static str, usize); 6] {
    let [width, height] = permutation_sides(layout.batch()).map(|side| side as usize);
    [
        ("num_envs", layout.num_envs),
        ("horizon", layout.horizon),
        // Samples are numbered block by block. `block_envs` is the maximum number of environments in a block.
        ("block_envs", BLOCK_ENVS),
        // The permutation shuffles the cells of a `width` × `height` rectangle in `rounds` rounds.
        ("width", width),
        ("height", height),
        ("rounds", layout.rounds),
    ]
}

/// Buffers and network from which the programs of the rollout and of advantage estimation are recorded.
struct RolloutRecorder<'a> {
    layout: &'a PpoLayout,
    memory: &'a PpoBuffers,
    network: GpuPlan,
    samples: &'a Buffer,
    trajectory: &'a Buffer,
    scales: &'a Buffer,
    /// Normalized final observations of truncated episodes, `[cuts, num_envs, observation]`. `cuts` is the maximum
    /// number of truncations of one environment within a rollout.
    cut_observations: Buffer,
    /// Value estimates of the final observations in `cut_observations`, `[cuts, num_envs]`.
    cut_values: Buffer,
}

impl RolloutRecorder<'_> {
    /// Binds the buffers and uniforms that `act.wgsl` (one step of an environment) uses to `shader`.
    fn acting<'a>(&'a self, shader: Shader<'a>) -> Shader<'a> {
        let Self { layout, network, samples, trajectory, cut_observations, .. } = self;
        let PpoBuffers { settings, progress, envs, .. } = self.memory;
        shader
            .buffers([
                ("settings", settings),
                ("progress", progress),
                ("envs", envs),
                ("arena", network.arena()),
                ("samples", *samples),
                ("trajectory", *trajectory),
                ("cut_observations", cut_observations),
            ])
            .uniforms([
                ("num_envs", layout.num_envs),
                ("horizon", layout.horizon),
                // Offset of the observations, [num_envs, observation], in the network's arena.
                ("observations", network.input(0).start),
                // Maximum number of truncations of one environment within a rollout.
                ("cuts", layout.cuts),
            ])
    }

    fn begin(&self, gpu: &Gpu, text: &PpoShaders, log_std: Option<usize>) -> Result<GpuProgram, GpuError> {
        let PpoBuffers { settings, progress, envs, parameters, .. } = self.memory;
        let mut recorder = GpuRecorder::new(gpu);
        recorder.clear(progress, 0..progress::HALTED);
        if let Some(offset) = log_std {
            recorder.copy(parameters, offset, progress, progress::LOG_STD, 1);
        }
        let Self { layout, network, .. } = self;
        text.of_world("begin", &[vivarium_gpu::shader!("begin.wgsl")])
            .buffers([
                ("settings", settings),
                ("progress", progress),
                ("envs", envs),
                ("arena", network.arena()),
            ])
            .uniforms([("num_envs", layout.num_envs), ("observations", network.input(0).start)])
            .record_each(&mut recorder, layout.num_envs)?;
        recorder.finish()
    }

    /// Records one step of all environments: the forward pass of the network, and the kernel that samples actions and
    /// steps the environments.
    fn step(&self, gpu: &Gpu, text: &PpoShaders) -> Result<GpuProgram, GpuError> {
        let mut recorder = GpuRecorder::new(gpu);
        self.network.record(&mut recorder, &self.memory.parameters, None)?;
        self.acting(text.acting("step", vivarium_gpu::shader!("step.wgsl")))
            // Offsets of policy, [num_envs, width], and values, [num_envs], in the network's arena.
            .uniforms([("policy", self.network.output(0).start), ("values", self.network.output(1).start)])
            .record_each(&mut recorder, self.layout.num_envs)?;
        recorder.finish()
    }

    /// Records a program of one fused kernel that takes [`STEPS`](roll::STEPS) environment steps, and a second
    /// program for the remaining steps of the rollout. Returns each program with its number of repetitions.
    fn roll(
        &self,
        gpu: &Gpu,
        text: &PpoShaders,
        roll: &RollShader,
    ) -> Result<Vec<(GpuProgram, usize)>, GpuError> {
        let horizon = self.layout.horizon;
        let mut programs = Vec::new();
        for (steps, times) in [(roll::STEPS, horizon / roll::STEPS), (horizon % roll::STEPS, 1)] {
            if steps == 0 || times == 0 {
                continue;
            }
            let mut recorder = GpuRecorder::new(gpu);
            let groups = dispatch_size(self.layout.num_envs.div_ceil(roll::GROUP_ENVS));
            self.acting(text.acting("roll", RollShader::TEXT))
                .part(&roll.network)
                .buffers([("parameters", &self.memory.parameters)])
                .uniforms([("steps", steps)])
                .record(&mut recorder, groups)?;
            programs.push((recorder.finish()?, times));
        }
        Ok(programs)
    }

    /// Records the end of a rollout: values for bootstrapping, running moments, GAE, statistics, and normalization of
    /// the advantages.
    fn end(&self, gpu: &Gpu, text: &PpoShaders, normalize_advantages: bool) -> Result<GpuProgram, GpuError> {
        let Self { layout, network, samples, trajectory, cut_observations, cut_values, .. } = self;
        let PpoBuffers { settings, progress, envs, parameters, .. } = self.memory;
        let (arena, values) = (network.arena(), network.output(1));
        let mut recorder = GpuRecorder::new(gpu);
        network.record(&mut recorder, parameters, None)?;
        recorder.copy(arena, values.start, trajectory, 3 * layout.batch(), layout.num_envs);
        let row = layout.num_envs * layout.observation;
        for cut in 0..layout.cuts {
            recorder.copy(cut_observations, cut * row, arena, network.input(0).start, row);
            network.record(&mut recorder, parameters, None)?;
            recorder.copy(arena, values.start, cut_values, cut * layout.num_envs, layout.num_envs);
        }
        let sizes = [("num_envs", layout.num_envs), ("horizon", layout.horizon)];
        let groups = dispatch_size(layout.observation + 1);
        text.plain("moments", &[&sum_wgsl("total", "vec2<f32>"), vivarium_gpu::shader!("moments.wgsl")])
            .buffers([("settings", settings), ("progress", progress), ("envs", envs)])
            .uniforms(sizes)
            .record(&mut recorder, groups)?;
        text.plain("advantages", &[vivarium_gpu::shader!("advantages.wgsl")])
            .buffers([
                ("settings", settings),
                ("progress", progress),
                ("envs", envs),
                ("trajectory", *trajectory),
                ("cut_values", cut_values),
                ("samples", *samples),
            ])
            .uniforms(sizes)
            .record_each(&mut recorder, layout.num_envs)?;
        let sums = [&*sum_wgsl("count", "u32"), &*sum_wgsl("total", "f32")].concat();
        text.plain("summary", &[&sums, vivarium_gpu::shader!("summary.wgsl")])
            .buffers([("progress", progress), ("envs", envs)])
            .uniforms(sizes)
            .record(&mut recorder, [1, 1, 1])?;
        if normalize_advantages {
            text.ordered("scales", &[&sum_wgsl("total", "f32"), vivarium_gpu::shader!("scales.wgsl")])
                .buffers([("settings", settings), ("samples", *samples), ("scales", self.scales)])
                .uniforms(order(layout))
                // Number of samples per minibatch, and number of minibatches per epoch.
                .uniforms([("minibatch", layout.minibatch), ("minibatches", layout.epoch_updates)])
                .record(&mut recorder, dispatch_size(layout.updates))?;
        }
        recorder.finish()
    }
}

/// Buffers and network from which the program of a gradient step is recorded.
struct UpdateRecorder<'a> {
    layout: &'a PpoLayout,
    memory: &'a PpoBuffers,
    network: GpuPlan,
    samples: &'a Buffer,
    scales: &'a Buffer,
    partials: &'a Buffer,
}

impl UpdateRecorder<'_> {
    fn record(&self, gpu: &Gpu, text: &PpoShaders) -> Result<GpuProgram, LearnerError> {
        let Self { layout, memory, network, samples, scales, .. } = self;
        let PpoBuffers { settings, progress, parameters, optimizer, .. } = memory;
        let (rows, arena) = (network.rows(), network.arena());
        let mut recorder = GpuRecorder::new(gpu);

        // Offsets of the network's inputs in its arena.
        let inputs: [_; INPUTS] =
            ["observation", "action", "log_probability", "advantage", "returned", "value"];
        text.ordered("gather", &[vivarium_gpu::shader!("gather.wgsl")])
            .buffers([
                ("settings", settings),
                ("progress", progress),
                ("samples", *samples),
                ("scales", *scales),
                ("arena", arena),
            ])
            .uniforms(order(layout))
            .uniforms((0..).zip(inputs).map(|(input, name)| (name, network.input(input).start)))
            .record_each(&mut recorder, rows)?;

        let slices = network.slices()?;
        network.record(&mut recorder, parameters, Some(&slices))?;
        optimizer.record_sum(&mut recorder, &slices)?;
        self.finish(&mut recorder, text)?;
        optimizer.record_step(&mut recorder, parameters)?;
        Ok(recorder.finish()?)
    }

    /// Records the kernels between gradient and optimizer step: the kernels sum the metrics of the minibatch, and stop
    /// the iteration if training has diverged.
    fn finish(&self, recorder: &mut GpuRecorder, text: &PpoShaders) -> Result<(), GpuError> {
        let Self { layout, memory, network, partials, .. } = self;
        let PpoBuffers { settings, progress, optimizer, .. } = memory;
        let rows = network.rows();
        // Pairs of name and value of the uniforms that hold the word offset of each metric in the buffer
        // `measurements`.
        let places = |place: &dyn Fn(usize) -> usize| {
            std::array::from_fn::<_, MEASUREMENTS, _>(|metric| (format!("metric_{metric}"), place(metric)))
        };
        let mut metrics = places(&|metric| network.output(metric).start);
        let (mut measurements, mut measured) = (network.arena(), rows);
        let sum = sum_wgsl("total", "f32");
        if rows > MEASURED_AT_ONCE {
            let groups = rows.div_ceil(MEASURED_ROWS);
            text.plain("measure", &[&sum, vivarium_gpu::shader!("measure.wgsl")])
                .buffers([("arena", measurements), ("partials", *partials)])
                .uniforms([("rows", rows), ("groups", groups)])
                .uniforms(metrics)
                .record(recorder, dispatch_size(groups))?;
            metrics = places(&|metric| metric * groups);
            (measurements, measured) = (*partials, groups);
        }
        text.plain("finish", &[&sum, &OptimizerControl::wgsl(), vivarium_gpu::shader!("finish.wgsl")])
            .buffers([
                ("settings", settings),
                ("progress", progress),
                ("measurements", measurements),
                ("control", &optimizer.control),
                ("partial_norms", &optimizer.partial_norms),
            ])
            .uniforms([
                ("rows", rows),
                // Number of samples of an epoch.
                ("batch", layout.batch()),
                ("norms", optimizer.norm_count()),
                // Number of values per metric that the kernel sums: one per row, or partial sums.
                ("measured", measured),
            ])
            .uniforms(metrics)
            .record(recorder, [1, 1, 1])
    }
}
