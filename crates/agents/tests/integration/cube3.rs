//! EfficientCube: training on scrambles and beam search.

use std::collections::HashSet;
use vivarium_agents::Learner;
use vivarium_agents::LearnerError;
use vivarium_agents::cube3::{
    BeamSearch, BeamSearchSettings, Cube3Config, Cube3Learner, Cube3Network, Cube3NetworkDefinition,
    ScrambleBatch, SearchStatus,
};
use vivarium_envs::cube::{Backtracking, Cube3, CubeSize, Face, RandomWalk, Symmetry, TurnMetric};
use vivarium_graph::{Cpu, Tensor, TensorData, Workspace};
use vivarium_kernels::rng::Stream;

fn small(metric: TurnMetric) -> Cube3Config {
    Cube3Config {
        metric,
        width: 32,
        blocks: 1,
        depth: 8,
        scrambles: 16,
        iteration: 10,
        ..Cube3Config::default()
    }
}

/// Returns the cube that a row of network inputs (one-hot sticker colors) encodes.
fn decoded(row: &[f32]) -> Cube3 {
    let color = |sticker: &[f32]| Face::ALL[sticker.iter().position(|&x| x == 1.0).unwrap()].to_string();
    Cube3::from_stickers(&row.chunks(6).map(color).collect::<String>()).unwrap()
}

#[test]
fn samples_are_scramble_prefixes_with_their_inverse_turns() {
    for metric in [TurnMetric::Quarter, TurnMetric::Half] {
        let config = Cube3Config { symmetries: false, ..small(metric) };
        let mut scrambles = ScrambleBatch::new(&config);
        let mut seen = HashSet::new();
        for step in 0..3 {
            scrambles.draw(&Cpu::new(2), 5, step);
            let states = scrambles.inputs()[0].chunks(8 * Cube3::INPUTS);
            for (states, undo) in states.zip(scrambles.inputs()[1].chunks(8)) {
                let mut before = Cube3::SOLVED;
                let mut last = None;
                for (row, &undo) in states.chunks(Cube3::INPUTS).zip(undo) {
                    let (cube, turn) = (decoded(row), Cube3::turns(metric)[undo as usize]);
                    assert_eq!(cube.turned(turn), before);
                    assert_ne!(last, Some(turn), "redundant turn");
                    (before, last) = (cube, Some(turn.inverse()));
                }
                seen.insert(before);
            }
        }
        assert!(seen.len() > 40, "scrambles repeat: {}", seen.len());
        let mut again = ScrambleBatch::new(&config);
        again.draw(&Cpu::new(1), 5, 2);
        assert_eq!(again.inputs()[0], scrambles.inputs()[0]);
        again.draw(&Cpu::new(1), 6, 2);
        assert_ne!(again.inputs()[0], scrambles.inputs()[0]);
    }
}

/// With symmetry reduction, each sample is the representative of a scrambled cube. The labeled move leads to a state
/// that is equivalent to the cube before its last turn.
#[test]
fn samples_are_representatives() {
    for metric in [TurnMetric::Quarter, TurnMetric::Half] {
        let [plain, seen] = [false, true].map(|symmetries| {
            let mut scrambles = ScrambleBatch::new(&Cube3Config { symmetries, ..small(metric) });
            scrambles.draw(&Cpu::new(2), 5, 1);
            scrambles
        });
        let rows = |scrambles: &ScrambleBatch| -> Vec<Cube3> {
            scrambles.inputs()[0].chunks(Cube3::INPUTS).map(decoded).collect()
        };
        for (row, (cube, shown)) in rows(&plain).into_iter().zip(rows(&seen)).enumerate() {
            assert_eq!(Symmetry::representative(&cube).0, shown);
            let undone = |cube: Cube3, undo: f32| {
                Symmetry::representative(&cube.turned(Cube3::turns(metric)[undo as usize])).0
            };
            assert_eq!(undone(cube, plain.inputs()[1][row]), undone(shown, seen.inputs()[1][row]));
        }
    }
}

#[test]
fn a_run_does_not_depend_on_the_number_of_threads() {
    let run = |threads| {
        let mut learner = Cube3Learner::new(small(TurnMetric::Half), 3).unwrap();
        let report = learner.iterate(&Cpu::new(threads)).unwrap();
        (report, learner.averaged_network().unwrap().parameters().flat().to_vec())
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn training_improves_accuracy_and_solves() {
    let cpu = Cpu::new(2);
    let config =
        Cube3Config { depth: 5, width: 128, scrambles: 64, iteration: 300, ..small(TurnMetric::Quarter) };
    let mut learner = Cube3Learner::new(config, 1).unwrap();
    let first = learner.iterate(&cpu).unwrap();
    let second = learner.iterate(&cpu).unwrap();
    assert!(second.loss < first.loss && second.loss < 1.0, "{first:?} {second:?}");
    assert!(second.accuracy_by_depth[0] > 0.999, "{second:?}");
    assert!(second.accuracy > first.accuracy && second.accuracy < 1.0);
    assert_eq!(second.counters.samples, 600 * 5 * 64);

    let network = learner.averaged_network().unwrap();
    let mut random = Stream::new(8, 0);
    let mut solved = 0;
    for _ in 0..50 {
        let mut walk = RandomWalk::new(CubeSize::Three, TurnMetric::Quarter, Backtracking::Never);
        let cube = (0..5).fold(Cube3::SOLVED, |cube, _| cube.turned(walk.next(&mut random).1));
        let mut search =
            BeamSearch::new(BeamSearchSettings { width: 64, ..BeamSearchSettings::default() }, cube);
        if search.run(&cpu, &network) == SearchStatus::Solved {
            let solution = search.solution().unwrap();
            assert!(solution.iter().fold(cube, |cube, &turn| cube.turned(turn)).is_solved());
            solved += 1;
        } else {
            assert_eq!(search.solution(), None);
            assert_eq!(search.moves(), 52);
        }
    }
    assert!(solved >= 45, "{solved} of 50");
}

/// Returns the log-probability that the network assigns to each move in a state.
fn log_probabilities(network: &Cube3Network, cube: &Cube3, moves: usize) -> Vec<f32> {
    let mut row = vec![0.0; Cube3::INPUTS];
    let (shown, view) = network.canonicalize(cube);
    shown.encode(&mut row);
    let mut out = vec![0.0; moves];
    network.log_probabilities(&mut Workspace::default(), 1, &row, &mut out);
    let turns = Cube3::turns(if moves == 12 { TurnMetric::Quarter } else { TurnMetric::Half });
    let seen = |turn| turns.iter().position(|&other| other == view.turn(turn)).unwrap();
    turns.iter().map(|&turn| out[seen(turn)]).collect()
}

/// Reference implementation of beam search. Returns the beam at each depth: states and log-probabilities of their move
/// sequences, in descending order.
fn slow_beams(
    network: &Cube3Network,
    settings: BeamSearchSettings,
    start: Cube3,
    levels: usize,
) -> Vec<Vec<(Cube3, f32)>> {
    let turns = Cube3::turns(settings.metric);
    let mut seen = HashSet::from([start]);
    let mut beam = vec![(start, 0.0, None)];
    let mut beams = Vec::new();
    for _ in 0..levels {
        let mut longer = Vec::new();
        for (cube, score, last) in &beam {
            let log_probabilities = log_probabilities(network, cube, turns.len());
            for (&turn, guess) in turns.iter().zip(log_probabilities) {
                let wasteful =
                    last.is_some_and(|last: vivarium_envs::cube::FaceTurn| match settings.metric {
                        TurnMetric::Quarter => turn == last.inverse(),
                        TurnMetric::Half => turn.face() == last.face(),
                    });
                if !wasteful {
                    longer.push((cube.turned(turn), score + guess, Some(turn)));
                }
            }
        }
        longer.sort_by(|a, b| b.1.total_cmp(&a.1));
        longer.retain(|&(cube, ..)| !seen.contains(&cube));
        let mut kept = Vec::new();
        for way in longer {
            if kept.len() < settings.width && seen.insert(way.0) {
                kept.push(way);
            }
        }
        beams.push(kept.iter().map(|&(cube, score, _)| (cube, score)).collect());
        beam = kept;
    }
    beams
}

#[test]
fn beam_search_keeps_the_most_likely_sequences() {
    for metric in [TurnMetric::Quarter, TurnMetric::Half] {
        let network = Cube3Network::new(
            &Cube3NetworkDefinition::new(&Cube3Config { width: 24, blocks: 1, ..small(metric) }),
            4,
        )
        .unwrap();
        let settings = BeamSearchSettings { metric, width: 200, max_moves: 5 };
        let mut random = Stream::new(2, 0);
        for _ in 0..3 {
            let start = Cube3::random(&mut random);
            let expected = slow_beams(&network, settings, start, 5);
            let cpu = Cpu::new(2);
            let mut search = BeamSearch::new(settings, start);
            for (level, expected) in (1..).zip(&expected) {
                while search.moves() < level {
                    assert_eq!(search.advance(&cpu, &network), SearchStatus::Searching);
                }
                let ways: Vec<_> = search.beam().collect();
                assert_eq!(ways.len(), expected.len());
                // Rounding may reorder entries of nearly equal probability, and replace entries at the end of the beam.
                for (way, expected) in ways.iter().zip(expected) {
                    assert!((way.1 - expected.1).abs() < 1e-4, "{} and {}", way.1, expected.1);
                }
                let cubes: HashSet<_> = ways.iter().map(|way| way.0).collect();
                let common = expected.iter().filter(|way| cubes.contains(&way.0)).count();
                assert_eq!(cubes.len(), ways.len());
                assert!(common * 100 >= ways.len() * 95, "{common} of {}", ways.len());
            }
            assert_eq!(search.advance(&cpu, &network), SearchStatus::GivenUp);
            assert_eq!(search.solution(), None);
        }
    }
}

#[test]
fn a_wide_beam_solves_near_states_with_an_untrained_network() {
    let definition = Cube3NetworkDefinition::new(&small(TurnMetric::Half));
    let network = Cube3Network::new(&definition, 4).unwrap();
    let cpu = Cpu::new(2);
    let settings = BeamSearchSettings { metric: TurnMetric::Half, width: 5000, max_moves: 3 };
    let mut search = BeamSearch::new(settings, Cube3::SOLVED);
    assert_eq!(search.run(&cpu, &network), SearchStatus::Solved);
    assert_eq!(search.solution(), Some(&[][..]));
    let mut random = Stream::new(3, 0);
    for _ in 0..20 {
        let mut walk = RandomWalk::new(CubeSize::Three, TurnMetric::Half, Backtracking::Never);
        let cube = (0..3).fold(Cube3::SOLVED, |cube, _| cube.turned(walk.next(&mut random).1));
        search.restart(cube);
        assert_eq!(search.run(&cpu, &network), SearchStatus::Solved);
        let solution = search.solution().unwrap();
        assert!(solution.len() <= 3);
        assert!(solution.iter().fold(cube, |cube, &turn| cube.turned(turn)).is_solved());
    }
}

#[test]
fn invalid_configs_are_rejected_and_live_fields_change() {
    let wrong = Cube3Config { width: 1, ..small(TurnMetric::Quarter) };
    assert!(
        matches!(Cube3Learner::new(wrong, 0), Err(LearnerError::Config(error)) if error.field == "learner.width")
    );
    let mut learner = Cube3Learner::new(small(TurnMetric::Quarter), 0).unwrap();
    let live = Cube3Config { learning_rate: 0.01, ..small(TurnMetric::Quarter) };
    learner.set_config(live.clone()).unwrap();
    assert_eq!(learner.config(), &live);
    let error = learner.set_config(Cube3Config { depth: 9, ..live.clone() }).unwrap_err();
    assert!(matches!(error, LearnerError::Config(error) if error.field == "learner.depth"));
    assert_eq!(learner.config(), &live);
}

#[test]
fn a_restored_learner_continues_exactly() {
    let cpu = Cpu::new(1);
    let config = small(TurnMetric::Quarter);
    let mut learner = Cube3Learner::new(config.clone(), 3).unwrap();
    for _ in 0..14 {
        learner.advance(&cpu).unwrap();
    }
    let saved = learner.save();
    let mut restored = Cube3Learner::restore(config.clone(), 3, &saved).unwrap();
    assert_eq!(restored.counters(), learner.counters());
    let solver = Cube3Network::restore(&config, &learner.save_averaged()).unwrap();
    assert_eq!(solver.parameters().flat(), learner.averaged_network().unwrap().parameters().flat());
    for _ in 0..2 {
        assert_eq!(restored.iterate(&cpu).unwrap(), learner.iterate(&cpu).unwrap());
    }
    assert_eq!(restored.save(), learner.save());
}

#[test]
fn mismatched_checkpoints_are_rejected() {
    let config = small(TurnMetric::Quarter);
    let saved = Cube3Learner::new(config.clone(), 3).unwrap().save();
    let refused = |config: &Cube3Config, tensors: &[Tensor]| {
        Cube3Learner::restore(config.clone(), 3, tensors).err().unwrap().to_string()
    };
    for index in 0..saved.len() {
        let mut less = saved.clone();
        let name = less.remove(index).name;
        assert_eq!(refused(&config, &less), format!("{name}: it is missing"));
        let mut other = saved.clone();
        other[index].values = TensorData::U32(vec![0]);
        assert!(refused(&config, &other).starts_with(&format!("{name}: it is u32 ")));
    }
    let wider = Cube3Config { width: 40, ..config.clone() };
    let expected = "average/stem.weight: it is f32 [324, 32]; f32 [324, 40] is needed";
    assert_eq!(refused(&wider, &saved), expected);
    let mut broken = saved.clone();
    let TensorData::F32(values) = &mut broken[0].values else { panic!("weights are f32") };
    values[3] = f32::NAN;
    assert!(refused(&config, &broken).contains("not finite"));
    let error = Cube3Network::restore(&config, &[]).err().unwrap().to_string();
    assert_eq!(error, "average/stem.weight: it is missing");
}
