//! Hard automata on the GPU equal those on the CPU bit for bit.

use crate::common::{gpu, open};
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::gpu_trainer::GpuAutomaton;
use vivarium_logic_ca::hard::{Boards, Circuit, CompiledCircuit, Gate, UpdateMask, life};
use vivarium_logic_ca::{Border, Grid, LogicConfig, LogicError, LogicPreset, Wiring};

fn noise(grid: Grid, channels: usize, seed: u64) -> Boards {
    let mut stream = Stream::new(seed, 0);
    let mut boards = Boards::new(grid, channels).unwrap();
    for channel in 0..channels {
        boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
    }
    boards
}

/// Compares the boards of GPU and CPU after `steps` synchronous steps, and again after `steps` asynchronous ones.
#[track_caller]
fn agrees(circuit: &Circuit, grid: Grid, steps: usize) {
    let channels = circuit.channels();
    let (cpu, mut code) = (Cpu::new(2), CompiledCircuit::new(circuit));
    let mut boards = noise(grid, channels, 3);
    let mut automaton = GpuAutomaton::new(gpu(), circuit, grid).unwrap();
    automaton.load(&boards);
    let mut first = 5;
    for update_mask in [None, Some(UpdateMask { rate: 0.6, seed: 8 })] {
        automaton.run(steps, update_mask, first).unwrap();
        for step in 0..steps as u32 {
            code.step(&cpu, &mut boards, update_mask, first + step);
        }
        first += steps as u32;
        let mut found = Boards::new(grid, channels).unwrap();
        automaton.store_blocking(&mut found).unwrap();
        for channel in 0..channels {
            assert!(
                found.channel(channel).eq(boards.channel(channel)),
                "{grid:?}, channel {channel}, {update_mask:?}"
            );
        }
    }
}

fn random_circuit(channels: usize, gates: u32, seed: u64) -> Circuit {
    let mut stream = Stream::new(seed, 1);
    let inputs = 9 * channels as u32;
    let gate = |number: u32| {
        let (a, b) = (stream.below(inputs + number), stream.below(inputs + number));
        Gate { function: (number % 16) as u8, a, b }
    };
    let gates: Vec<Gate> = (0..gates).map(gate).collect();
    let last = inputs + gates.len() as u32 - 1;
    let outputs = (0..channels as u32).map(|channel| last - 3 * channel).collect();
    Circuit::new(channels, gates, outputs).unwrap()
}

#[test]
fn boards_of_all_shapes_agree() {
    let circuit = random_circuit(3, 160, 1);
    for border in [Border::Periodic, Border::Fixed] {
        for (boards, height, width) in
            [(1, 1, 1), (70, 3, 3), (3, 1, 40), (2, 7, 31), (2, 4, 32), (1, 16, 16), (1, 5, 65)]
        {
            agrees(&circuit, Grid { boards, height, width, border }, 5);
        }
    }
}

#[test]
fn large_boards_agree() {
    agrees(&life::circuit(), Grid { boards: 1, height: 1024, width: 1024, border: Border::Periodic }, 3);
    agrees(&random_circuit(2, 60, 4), Grid { boards: 2, height: 130, width: 200, border: Border::Fixed }, 18);
}

/// Compares GPU and CPU for the unsimplified circuit of every preset, with random gate functions.
#[test]
fn circuits_of_every_preset_agree() {
    for preset in LogicPreset::ALL {
        let config = LogicConfig::of(preset);
        let architecture = config.architecture();
        let mut stream = Stream::new(1, 2);
        let functions: Vec<u8> = (0..architecture.gates()).map(|_| stream.below(16) as u8).collect();
        let circuit =
            Circuit::from_functions(&architecture, &Wiring::new(&architecture, 1), &functions).unwrap();
        agrees(&circuit, Grid { boards: 2, ..config.grid() }, 2);
    }
}

#[test]
fn a_glider_runs_a_thousand_steps_in_few_submissions() {
    let grid = Grid { boards: 1, height: 16, width: 16, border: Border::Periodic };
    let mut boards = Boards::new(grid, 1).unwrap();
    for [row, column] in [[0, 1], [1, 2], [2, 0], [2, 1], [2, 2]] {
        boards.set(0, row * 16 + column, true);
    }
    let mut automaton = GpuAutomaton::new(gpu(), &life::circuit(), grid).unwrap();
    automaton.load(&boards);
    assert_eq!((automaton.steps_at_once(), automaton.cost().dispatches), (64, 1));
    // A glider returns to its initial position after 4 × 16 steps on a torus of 16×16 cells; 1,024 is a multiple of 64.
    automaton.run(1024, None, 0).unwrap();
    let mut found = Boards::new(grid, 1).unwrap();
    automaton.store_blocking(&mut found).unwrap();
    assert!(found.channel(0).eq(boards.channel(0)));
    automaton.run(1, None, 0).unwrap();
    automaton.store_blocking(&mut found).unwrap();
    assert!(!found.channel(0).eq(boards.channel(0)));
}

#[test]
fn running_allocates_nothing_and_device_loss_is_an_error() {
    let gpu = open();
    let grid = Grid { boards: 1, height: 9, width: 40, border: Border::Fixed };
    let mut automaton = GpuAutomaton::new(&gpu, &life::circuit(), grid).unwrap();
    automaton.load(&noise(grid, 1, 1));
    let (memory, kernels) = (gpu.memory(), gpu.kernels_compiled());
    for update_mask in [None, Some(UpdateMask { rate: 0.5, seed: 1 })] {
        automaton.run(200, update_mask, 0).unwrap();
    }
    assert_eq!((gpu.memory(), gpu.kernels_compiled()), (memory, kernels));
    gpu.destroy();
    let error = automaton.run(1, None, 0).unwrap_err();
    assert!(matches!(error, LogicError::Gpu(vivarium_gpu::GpuError::Lost { .. })), "{error}");
}
