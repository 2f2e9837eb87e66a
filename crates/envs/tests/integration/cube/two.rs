use super::checks::{check_encoding, check_orders, check_turns};
use super::reference::ReferenceCube;
use std::collections::HashSet;
use std::sync::LazyLock;
use vivarium_envs::cube::{Cube2, CubeSize, DistanceTable, FaceTurn, TurnMetric};
use vivarium_kernels::rng::Stream;

#[test]
fn ranks_are_a_bijection() {
    assert_eq!(Cube2::STATES, 3_674_160);
    assert_eq!(Cube2::SOLVED.rank(), 0);
    assert_eq!(Cube2::from_rank(Cube2::STATES as u32), None);
    assert_eq!(Cube2::from_rank(u32::MAX), None);
    assert_eq!(Cube2::all().len(), Cube2::STATES);
    for (rank, cube) in (0..).zip(Cube2::all()) {
        assert_eq!(cube.rank(), rank);
        assert_eq!(Cube2::from_rank(rank), Some(cube));
    }
}

#[test]
fn distinct_states_have_distinct_stickers() {
    let mut random = Stream::new(1, 0);
    let cubes: HashSet<_> = (0..20_000).map(|_| Cube2::random(&mut random)).collect();
    let looks: HashSet<_> = cubes.iter().map(|cube| cube.stickers()).collect();
    assert_eq!(looks.len(), cubes.len());
}

#[test]
fn turns_are_those_of_stickers_in_space() {
    check_turns::<Cube2>();
}

#[test]
fn opposite_faces_turn_alike() {
    let mut random = Stream::new(3, 0);
    for _ in 0..500 {
        let cube = Cube2::random(&mut random);
        for &turn in Cube2::turns(TurnMetric::Half) {
            let across = FaceTurn::new(turn.face().opposite(), turn.quarters()).unwrap();
            let mut reference = ReferenceCube::solved(CubeSize::Two);
            scramble_to(cube).into_iter().for_each(|turn| reference.turn(turn));
            assert_eq!(reference.colors()[..], cube.stickers()[..]);
            reference.turn(across);
            assert_eq!(Cube2::from_stickers(&reference.text()), Ok(cube.turned(turn)));
            assert_eq!(cube.turned(across), cube.turned(turn));
        }
    }
}

/// Returns a shortest turn sequence from the solved state to `cube`, in the half-turn metric.
fn scramble_to(cube: Cube2) -> Vec<FaceTurn> {
    static DISTANCES: LazyLock<DistanceTable> = LazyLock::new(|| DistanceTable::new(TurnMetric::Half));
    DISTANCES.solution(cube).iter().rev().map(|turn| turn.inverse()).collect()
}

#[test]
fn successors_are_computed_in_one_call() {
    let mut random = Stream::new(4, 0);
    for metric in [TurnMetric::Quarter, TurnMetric::Half] {
        let (cube, turns) = (Cube2::random(&mut random), Cube2::turns(metric));
        let mut after = vec![Cube2::SOLVED; turns.len()];
        cube.after_each(turns, &mut after);
        assert!(after.iter().zip(turns).all(|(after, &turn)| *after == cube.turned(turn)));
    }
}

#[test]
fn inverses_and_known_orders_hold() {
    let mut random = Stream::new(5, 0);
    for _ in 0..1000 {
        let cube = Cube2::random(&mut random);
        for &turn in Cube2::turns(TurnMetric::Half) {
            assert_eq!(cube.turned(turn).turned(turn.inverse()), cube);
            let quarter = FaceTurn::new(turn.face(), 1).unwrap();
            let quarters = (0..turn.quarters()).fold(cube, |cube, _| cube.turned(quarter));
            assert_eq!(quarters, cube.turned(turn));
        }
    }
    let orders = [("R", 4), ("R2", 2), ("R U R' U'", 6), ("R U", 15), ("R U'", 9), ("R2 U2", 3)];
    check_orders::<Cube2>(&orders);
}

#[test]
fn state_counts_by_distance_match_the_literature() {
    let quarter: &[u32] =
        &[1, 6, 27, 120, 534, 2256, 8969, 33058, 114_149, 360_508, 930_588, 1_350_852, 782_536, 90_280, 276];
    let half: &[u32] = &[1, 9, 54, 321, 1847, 9992, 50_136, 227_536, 870_072, 1_887_748, 623_800, 2644];
    for (metric, counted) in [(TurnMetric::Quarter, quarter), (TurnMetric::Half, half)] {
        let distances = DistanceTable::new(metric);
        assert_eq!(distances.counts(), counted);
        let mut counts = vec![0; counted.len()];
        distances.all().iter().for_each(|&distance| counts[usize::from(distance)] += 1);
        assert_eq!(counts, counted);
        // Each state has a neighbor at distance − 1 and none nearer, so distances are optimal.
        for cube in Cube2::all().step_by(7) {
            let distance = distances.of(cube);
            let after = Cube2::turns(metric).iter().map(|&turn| distances.of(cube.turned(turn)));
            let least = after.min().unwrap();
            assert_eq!(least, if distance == 0 { 1 } else { distance - 1 });
        }
    }
}

#[test]
fn solutions_are_shortest_and_solve() {
    let mut random = Stream::new(6, 0);
    for metric in [TurnMetric::Quarter, TurnMetric::Half] {
        let distances = DistanceTable::new(metric);
        assert_eq!(distances.metric(), metric);
        assert_eq!(distances.optimal(Cube2::SOLVED), 0);
        for _ in 0..5000 {
            let cube = Cube2::random(&mut random);
            let solution = distances.solution(cube);
            assert_eq!(solution.len(), usize::from(distances.of(cube)));
            assert!(solution.iter().fold(cube, |cube, &turn| cube.turned(turn)).is_solved());
            let mask = distances.optimal(cube);
            for (action, &turn) in Cube2::turns(metric).iter().enumerate() {
                let nearer = distances.of(cube.turned(turn)) + 1 == distances.of(cube);
                assert_eq!(mask >> action & 1 == 1, nearer);
            }
        }
    }
}

#[test]
fn states_are_encoded_by_their_stickers() {
    let mut random = Stream::new(7, 0);
    let cubes: Vec<_> = (0..300).map(|_| Cube2::random(&mut random)).collect();
    let mut rows = vec![9.0; cubes.len() * Cube2::INPUTS];
    Cube2::encode_all(&cubes, &mut rows);
    for (cube, row) in cubes.iter().zip(rows.chunks(Cube2::INPUTS)) {
        check_encoding(&cube.stickers(), row, &cube.indices());
        let mut alone = [9.0; Cube2::INPUTS];
        cube.encode(&mut alone);
        assert_eq!(alone[..], *row);
    }
}
