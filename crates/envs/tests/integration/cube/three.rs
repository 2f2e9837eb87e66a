use super::checks::{check_encoding, check_orders, check_turns};
use std::collections::HashSet;
use vivarium_envs::cube::{Cube3, CubeSize, FaceTurn, TurnMetric, parse_turns};
use vivarium_kernels::rng::Stream;

fn after(text: &str) -> Cube3 {
    parse_turns(text, CubeSize::Three)
        .unwrap()
        .into_iter()
        .fold(Cube3::SOLVED, |cube, turn| cube.turned(turn))
}

#[test]
fn turns_are_those_of_stickers_in_space() {
    check_turns::<Cube3>();
}

#[test]
fn a_state_takes_twenty_bytes() {
    assert!(size_of::<Cube3>() <= 20);
}

#[test]
fn known_orders_hold() {
    let orders = [
        ("R", 4),
        ("R2", 2),
        ("R U R' U'", 6),
        ("R U", 105),
        ("R U'", 63),
        ("R2 U2", 6),
        ("R L", 4),
        // Maximum order of an element (Butler).
        ("R U2 D' B D'", 1260),
    ];
    check_orders::<Cube3>(&orders);
}

#[test]
fn inverses_and_opposite_faces_obey_the_group_laws() {
    let mut random = Stream::new(2, 0);
    for _ in 0..300 {
        let cube = Cube3::random(&mut random);
        for &turn in Cube3::turns(TurnMetric::Half) {
            assert_ne!(cube.turned(turn), cube);
            assert_eq!(cube.turned(turn).turned(turn.inverse()), cube);
            let across = FaceTurn::new(turn.face().opposite(), 1).unwrap();
            assert_eq!(cube.turned(turn).turned(across), cube.turned(across).turned(turn));
        }
    }
}

#[test]
fn the_superflip_flips_every_edge_and_nothing_else() {
    let cube = after("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
    let text = "UBULURUFU RURFRBRDR FUFLFRFDF DFDLDRDBD LULBLFLDL BUBRBLBDB";
    assert_eq!(Cube3::from_stickers(text), Ok(cube));
    // The superflip commutes with every turn.
    let sequence =
        parse_turns("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", CubeSize::Three).unwrap();
    let mut random = Stream::new(3, 0);
    for _ in 0..100 {
        let start = Cube3::random(&mut random);
        let flipped = |cube: Cube3| sequence.iter().fold(cube, |cube, &turn| cube.turned(turn));
        for &turn in Cube3::turns(TurnMetric::Half) {
            assert_eq!(flipped(start.turned(turn)), flipped(start).turned(turn));
        }
    }
}

#[test]
fn state_counts_match_the_literature() {
    // Numbers of states at each distance from the solved state: Rokicki, Kociemba, Davidson and Dethridge, "The
    // diameter of the Rubik's cube group is twenty" (half-turn metric), and <http://www.cube20.org/qtm/> (quarter-turn
    // metric).
    let half: &[usize] = &[1, 18, 243, 3240, 43_239];
    let quarter: &[usize] = &[1, 12, 114, 1068, 10_011, 93_840];
    for (metric, counted) in [(TurnMetric::Half, half), (TurnMetric::Quarter, quarter)] {
        let mut seen = HashSet::from([Cube3::SOLVED]);
        let mut layer = vec![Cube3::SOLVED];
        for &count in counted {
            assert_eq!(layer.len(), count);
            let next = layer
                .iter()
                .flat_map(|cube| Cube3::turns(metric).iter().map(|&turn| cube.turned(turn)))
                .filter(|&cube| seen.insert(cube));
            layer = next.collect();
        }
        let hashes: HashSet<_> = seen.iter().map(Cube3::hash).collect();
        assert_eq!(hashes.len(), seen.len());
    }
}

#[test]
fn states_are_encoded_by_their_stickers() {
    let mut random = Stream::new(5, 0);
    let cubes: Vec<_> = (0..100).map(|_| Cube3::random(&mut random)).collect();
    let mut rows = vec![9.0; cubes.len() * Cube3::INPUTS];
    Cube3::encode_all(&cubes, &mut rows);
    for (cube, row) in cubes.iter().zip(rows.chunks(Cube3::INPUTS)) {
        check_encoding(&cube.stickers(), row, &cube.indices());
    }
}
