//! What the device does in an iteration, recorded once.

use super::super::config::PpoConfig;
use super::super::network::{self, INPUTS, LOG_STD, MEASUREMENTS, SETTINGS};
use super::super::policy::Policy;
use super::super::rollout::BLOCK_LANES;
use super::layout::{Layout, MEASURED_ROWS, progress};
use super::roll;
use crate::error::LearnerError;
use vivarium_envs::ActionSpace;
use vivarium_gpu::worlds::{GpuWorld, world_wgsl};
use vivarium_gpu::{
    Buffer, Control, Cost, Encoder, Gpu, GpuError, Network, Optimizer, Program, Recorder, spread,
};
use vivarium_gpu::{MATH_WGSL, sum_wgsl};
use vivarium_graph::Plan;
use vivarium_kernels::rng::permutation_sides;

/// Rows whose measurements one workgroup adds up by itself.
const MEASURED_AT_ONCE: usize = 4096;

/// Everything that lasts from one iteration to the next.
pub(super) struct Memory {
    pub settings: Buffer,
    pub progress: Buffer,
    pub lanes: Buffer,
    pub parameters: Buffer,
    pub optimizer: Optimizer,
}

impl Memory {
    pub fn new(gpu: &Gpu, layout: &Layout) -> Result<Self, GpuError> {
        Ok(Self {
            settings: gpu.zeros("settings", layout.settings())?,
            progress: gpu.zeros("progress", layout.progress())?,
            lanes: gpu.zeros("lanes", layout.lane_rows() * layout.lanes)?,
            parameters: gpu.zeros("parameters", layout.parameters)?,
            optimizer: Optimizer::new(gpu, layout.parameters)?,
        })
    }
}

/// What is recorded, each to be encoded as often as [`Programs::encode`] says.
pub(super) struct Programs {
    begin: Program,
    /// What takes the lanes through the rollout, and how often each.
    steps: Vec<(Program, usize)>,
    end: Program,
    minibatch: Program,
    /// Of the last minibatch of an epoch, where it is smaller.
    last: Option<Program>,
    epochs: usize,
    /// Whole minibatches of an epoch.
    minibatches: usize,
    /// The arenas that hold the loss's settings, and where.
    settings: Vec<(Buffer, [Option<usize>; SETTINGS])>,
}

impl Programs {
    pub fn new<W: GpuWorld>(
        gpu: &Gpu,
        config: &PpoConfig,
        policy: &Policy,
        layout: &Layout,
        memory: &Memory,
    ) -> Result<Self, LearnerError> {
        let graph = network::network(config, W::OBSERVATION_LEN, W::ACTIONS);
        let act = Plan::compile(&graph.graph, &[graph.policy, graph.value], layout.lanes)?;
        let learn = Plan::compile(&graph.graph.gradient(graph.loss), &graph.measurements, layout.minibatch)?;
        let text = Text::new::<W>(layout);

        let (rows, values) = (layout.batch(), layout.batch() + layout.lanes);
        let samples = gpu.zeros("samples", rows * layout.sample())?;
        // Rewards, outcomes, values.
        let trajectory = gpu.zeros("trajectory", 2 * rows + values)?;
        // Mean and factor of each minibatch's advantages: those that change nothing, where nothing is to be changed.
        let scales = gpu.upload("scales of advantages", &[0f32, 1.0].repeat(layout.updates))?;
        let rollout = Rollout {
            layout,
            memory,
            network: Network::new(gpu, &act, layout.lanes)?,
            samples: &samples,
            trajectory: &trajectory,
            cut_observations: gpu
                .zeros("final observations", layout.cuts * layout.lanes * layout.observation)?,
            scales: &scales,
            cut_values: gpu.zeros("final values", layout.cuts * layout.lanes)?,
        };
        let log_std = policy.network.specs().iter().find(|spec| spec.name == LOG_STD);
        let begin = rollout.begin(gpu, &text, log_std.map(|spec| spec.offset))?;
        let steps = match roll::text(config, policy, layout.observation) {
            Some(roll) => rollout.roll(gpu, &text, &roll)?,
            None => vec![(rollout.step(gpu, &text)?, layout.horizon)],
        };
        let end = rollout.end(gpu, &text, config.normalize_advantages)?;

        let partials = gpu.zeros("partial sums", MEASUREMENTS * layout.minibatch.div_ceil(MEASURED_ROWS))?;
        let mut settings = Vec::new();
        let mut update = |rows: usize| -> Result<Program, LearnerError> {
            let network = Network::new(gpu, &learn, rows)?;
            let place = |setting: usize| {
                let range = network.input(INPUTS + setting);
                (!range.is_empty()).then_some(range.start)
            };
            settings.push((network.arena().clone(), std::array::from_fn(place)));
            let update =
                Update { layout, memory, network, samples: &samples, scales: &scales, partials: &partials };
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

    /// Hands the loss its settings, from the next submission on.
    pub fn write_settings(&self, gpu: &Gpu, values: [f32; SETTINGS]) {
        for (arena, places) in &self.settings {
            for (place, value) in places.iter().zip(values) {
                if let Some(place) = place {
                    gpu.write(arena, *place, &[value]);
                }
            }
        }
    }

    /// A whole iteration.
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

    /// What a whole iteration asks of the device.
    pub fn cost(&self) -> Cost {
        let once = self.begin.cost() + self.end.cost();
        let rollout =
            self.steps.iter().fold(once, |sum, (program, times)| sum + program.cost() * *times as u64);
        let last = self.last.as_ref().map_or(Cost::default(), Program::cost);
        rollout + (self.minibatch.cost() * self.minibatches as u64 + last) * self.epochs as u64
    }
}

/// What stands before the kernels' own text.
struct Text {
    /// The shared places and sizes, with the world and without it.
    of_world: String,
    plain: String,
    choose: &'static str,
}

impl Text {
    fn new<W: GpuWorld>(layout: &Layout) -> Self {
        let shared = layout.wgsl();
        Self {
            of_world: format!(
                "{shared}{}{MATH_WGSL}{}",
                world_wgsl::<W>(),
                vivarium_gpu::shader!("lanes.wgsl")
            ),
            plain: format!("{shared}const OBSERVATION_LEN = {}u;\n", layout.observation),
            choose: match W::ACTIONS {
                ActionSpace::Discrete(_) => vivarium_gpu::shader!("choose_discrete.wgsl"),
                ActionSpace::Box { .. } => vivarium_gpu::shader!("choose_box.wgsl"),
            },
        }
    }

    /// The text of a kernel that takes lanes through steps.
    fn acting(&self, text: &str) -> String {
        [&*self.of_world, self.choose, vivarium_gpu::shader!("act.wgsl"), text].concat()
    }

    /// The text of a kernel that takes samples in an epoch's order.
    fn ordered(&self, text: &str) -> String {
        [&*self.plain, vivarium_gpu::shader!("order.wgsl"), text].concat()
    }

    /// The text of a kernel of workgroups of 256 that takes totals over them.
    fn summing(&self, element: &str, text: &str) -> String {
        [&*self.plain, &*sum_wgsl("total", element), text].concat()
    }
}

/// What `order.wgsl` goes by.
fn order(layout: &Layout) -> [(&'static str, usize); 8] {
    let [width, height] = permutation_sides(layout.batch()).map(|side| side as usize);
    [
        ("lanes", layout.lanes),
        ("horizon", layout.horizon),
        // Lanes are numbered in blocks of at most this many, and samples block by block.
        ("block_lanes", BLOCK_LANES),
        // The sides of the order's rectangle, and its rounds.
        ("width", width),
        ("height", height),
        ("rounds", layout.rounds),
        // Rows of a minibatch, and minibatches of an epoch.
        ("minibatch", layout.minibatch),
        ("minibatches", layout.epoch_updates),
    ]
}

/// Words of a uniform block.
fn words<const N: usize>(numbers: [usize; N]) -> [u32; N] {
    numbers.map(|number| number as u32)
}

/// The programs that act and judge.
struct Rollout<'a> {
    layout: &'a Layout,
    memory: &'a Memory,
    network: Network,
    samples: &'a Buffer,
    trajectory: &'a Buffer,
    scales: &'a Buffer,
    /// Normalized, `[cuts, lanes, observation]`.
    cut_observations: Buffer,
    /// `[cuts, lanes]`.
    cut_values: Buffer,
}

impl Rollout<'_> {
    /// What the kernels go by that take lanes through so many steps.
    fn sizes(&self, steps: usize) -> [(&'static str, usize); 7] {
        let Self { layout, network, .. } = self;
        [
            ("lanes", layout.lanes),
            ("horizon", layout.horizon),
            // Where the network's arena holds its observations [lanes, observation], policy [lanes, width] and values [lanes].
            ("observations", network.input(0).start),
            ("policy", network.output(0).start),
            ("values", network.output(1).start),
            // How often one lane can be cut off within a rollout.
            ("cuts", layout.cuts),
            ("steps", steps),
        ]
    }

    fn begin(&self, gpu: &Gpu, text: &Text, log_std: Option<usize>) -> Result<Program, GpuError> {
        let Memory { settings, progress, lanes, parameters, .. } = self.memory;
        let mut recorder = Recorder::new(gpu);
        recorder.clear(progress, 0..progress::HALTED);
        if let Some(offset) = log_std {
            recorder.copy(parameters, offset, progress, progress::LOG_STD, 1);
        }
        let begin = [&*text.of_world, vivarium_gpu::shader!("begin.wgsl")];
        let buffers = [settings, progress, lanes, self.network.arena()];
        recorder.for_each("begin", &begin, &buffers, &self.sizes(1), self.layout.lanes)?;
        recorder.finish()
    }

    /// A step, for as many times as there are.
    fn step(&self, gpu: &Gpu, text: &Text) -> Result<Program, GpuError> {
        let mut recorder = Recorder::new(gpu);
        self.network.record(&mut recorder, &self.memory.parameters, None)?;
        let step = text.acting(vivarium_gpu::shader!("step.wgsl"));
        recorder.for_each("step", &[&step], &self.acting(), &self.sizes(1), self.layout.lanes)?;
        recorder.finish()
    }

    /// Many steps at once: whole stretches, and what remains.
    fn roll(&self, gpu: &Gpu, text: &Text, roll: &str) -> Result<Vec<(Program, usize)>, GpuError> {
        let horizon = self.layout.horizon;
        let mut programs = Vec::new();
        for (steps, times) in [(roll::STEPS, horizon / roll::STEPS), (horizon % roll::STEPS, 1)] {
            if steps == 0 || times == 0 {
                continue;
            }
            let mut recorder = Recorder::new(gpu);
            let text = text.acting(roll);
            let [a, b, c, d, e, f, g] = self.acting();
            let buffers = [a, b, c, d, e, f, g, &self.memory.parameters];
            let groups = spread(self.layout.lanes.div_ceil(roll::LANES));
            recorder.run("roll", &[&text], &buffers, &self.sizes(steps), groups)?;
            programs.push((recorder.finish()?, times));
        }
        Ok(programs)
    }

    /// The buffers of `act.wgsl`.
    fn acting(&self) -> [&Buffer; 7] {
        let Memory { settings, progress, lanes, .. } = self.memory;
        let arena = self.network.arena();
        [settings, progress, lanes, arena, self.samples, self.trajectory, &self.cut_observations]
    }

    /// Values of the states that the rollout ended in and of those that it was cut off in, advantages, sums.
    fn end(&self, gpu: &Gpu, text: &Text, normalize_advantages: bool) -> Result<Program, GpuError> {
        let Self { layout, network, samples, trajectory, cut_observations, cut_values, .. } = self;
        let Memory { settings, progress, lanes, parameters, .. } = self.memory;
        let (arena, values) = (network.arena(), network.output(1));
        let mut recorder = Recorder::new(gpu);
        network.record(&mut recorder, parameters, None)?;
        recorder.copy(arena, values.start, trajectory, 3 * layout.batch(), layout.lanes);
        let row = layout.lanes * layout.observation;
        for cut in 0..layout.cuts {
            recorder.copy(cut_observations, cut * row, arena, network.input(0).start, row);
            network.record(&mut recorder, parameters, None)?;
            recorder.copy(arena, values.start, cut_values, cut * layout.lanes, layout.lanes);
        }
        let sizes = [("lanes", layout.lanes), ("horizon", layout.horizon)];
        let moments = text.summing("vec2<f32>", vivarium_gpu::shader!("moments.wgsl"));
        let groups = spread(layout.observation + 1);
        recorder.run("moments", &[&moments], &[settings, progress, lanes], &sizes, groups)?;
        let advantages = [&*text.plain, vivarium_gpu::shader!("advantages.wgsl")];
        let buffers = [settings, progress, lanes, trajectory, cut_values, samples];
        recorder.for_each("advantages", &advantages, &buffers, &sizes, layout.lanes)?;
        let counting = sum_wgsl("count", "u32") + vivarium_gpu::shader!("summary.wgsl");
        let summary = text.summing("f32", &counting);
        recorder.run("summary", &[&summary], &[progress, lanes], &sizes, [1, 1, 1])?;
        if normalize_advantages {
            let summing = sum_wgsl("total", "f32") + vivarium_gpu::shader!("scales.wgsl");
            let scales = text.ordered(&summing);
            let buffers = [settings, samples, self.scales];
            recorder.run("scales", &[&scales], &buffers, &order(layout), spread(layout.updates))?;
        }
        recorder.finish()
    }
}

/// The program of a gradient step.
struct Update<'a> {
    layout: &'a Layout,
    memory: &'a Memory,
    network: Network,
    samples: &'a Buffer,
    scales: &'a Buffer,
    partials: &'a Buffer,
}

impl Update<'_> {
    fn record(&self, gpu: &Gpu, text: &Text) -> Result<Program, LearnerError> {
        let Self { layout, memory, network, samples, scales, .. } = self;
        let Memory { settings, progress, parameters, optimizer, .. } = memory;
        let (rows, arena) = (network.rows(), network.arena());
        let mut recorder = Recorder::new(gpu);

        // Where the network's arena holds its inputs.
        let inputs: [_; INPUTS] =
            ["observation", "action", "log_probability", "advantage", "returned", "value"];
        let mut sizes = order(layout).to_vec();
        sizes.extend((0..).zip(inputs).map(|(input, name)| (name, network.input(input).start)));
        let gather = text.ordered(vivarium_gpu::shader!("gather.wgsl"));
        let buffers = [settings, progress, samples, scales, arena];
        recorder.for_each("gather", &[&gather], &buffers, &sizes, rows)?;

        let slices = network.slices()?;
        network.record(&mut recorder, parameters, Some(&slices))?;
        optimizer.record_sum(&mut recorder, &slices)?;
        self.finish(&mut recorder, text)?;
        optimizer.record_step(&mut recorder, parameters)?;
        Ok(recorder.finish()?)
    }

    /// Adds up what was measured, and judges the step.
    fn finish(&self, recorder: &mut Recorder, text: &Text) -> Result<(), GpuError> {
        let Self { layout, memory, network, partials, .. } = self;
        let Memory { settings, progress, optimizer, .. } = memory;
        let (rows, gpu) = (network.rows(), recorder.gpu().clone());
        let mut columns: [usize; 8] = [0; 8];
        for (output, column) in columns.iter_mut().enumerate().take(MEASUREMENTS) {
            *column = network.output(output).start;
        }
        let (mut measurements, mut measured) = (network.arena(), rows);
        if rows > MEASURED_AT_ONCE {
            let groups = rows.div_ceil(MEASURED_ROWS);
            // The uniform block's array begins at a multiple of 16 bytes.
            let sizes = [&[rows as u32, groups as u32, 0, 0], &words(columns)[..]].concat();
            let measure = text.summing("f32", vivarium_gpu::shader!("measure.wgsl"));
            let kernel = gpu.kernel("measure", &measure, &[])?;
            recorder.dispatch(&kernel, &[measurements, partials], &sizes, spread(groups));
            columns = std::array::from_fn(|measurement| measurement * groups);
            (measurements, measured) = (partials, groups);
        }
        let finish = Control::wgsl() + vivarium_gpu::shader!("finish.wgsl");
        let kernel = gpu.kernel("finish", &text.summing("f32", &finish), &[])?;
        let buffers = [settings, progress, measurements, &optimizer.control, &optimizer.partial_norms];
        let sizes = words([rows, layout.batch(), optimizer.norm_count(), measured]);
        recorder.dispatch(&kernel, &buffers, &[&sizes, &words(columns)[..]].concat(), [1, 1, 1]);
        Ok(())
    }
}
