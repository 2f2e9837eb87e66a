//! Algorithms with brackets, slices, wide turns and rotations, compared with a cube in space.

use super::reference::ReferenceCube;
use proptest::prelude::*;
use vivarium_envs::cube::{
    Cube2, Cube3, CubeAlgorithm, CubeOrientation, CubePuzzle, CubeSize, Face, FaceTurn, LayerMove,
    MoveMetric, PieceCycle, TurnMetric, format_turns, parse_turns, simplify_turns,
};
use vivarium_kernels::rng::Stream;

/// Move of the reference cube: face whose direction of rotation applies, layers as in [`ReferenceCube::turn_layers`],
/// and clockwise quarter turns.
#[derive(Clone, Copy, Debug)]
struct ReferenceMove(Face, &'static [i32], u8);

impl ReferenceMove {
    fn inverse(self) -> Self {
        Self(self.0, self.1, 4 - self.2)
    }
}

fn inverse(moves: &[ReferenceMove]) -> Vec<ReferenceMove> {
    moves.iter().rev().map(|layers| layers.inverse()).collect()
}

fn one_of<T: Copy>(random: &mut Stream, choices: &[T]) -> T {
    choices[random.below(choices.len() as u32) as usize]
}

/// Writes a random move, and returns it for the reference cube.
fn random_move(random: &mut Stream, size: CubeSize, text: &mut String) -> ReferenceMove {
    const ONE: &[i32] = &[1];
    const WIDE: &[i32] = &[0, 1];
    const MIDDLE: &[i32] = &[0];
    const WHOLE: &[i32] = &[-1, 0, 1];
    let face = one_of(random, &Face::ALL);
    let letter = face.to_string();
    let rotations = [("x", Face::R), ("y", Face::U), ("z", Face::F)];
    let slices = [("M", Face::L), ("E", Face::D), ("S", Face::F)];
    // Layers with numbers, by the layers of the cube in space from the face: of the 2×2×2 cube, and of the 3×3×3 cube.
    let numbered: &[(&str, &str, &[i32])] = match size {
        CubeSize::Two => &[("1", "", ONE), ("2", "", &[-1]), ("2", "w", WHOLE), ("1-2", "w", WHOLE)],
        CubeSize::Three => &[
            ("1", "", ONE),
            ("2", "", MIDDLE),
            ("3", "", &[-1]),
            ("2", "w", WIDE),
            ("3", "w", WHOLE),
            ("2-3", "w", &[-1, 0]),
            ("2-2", "w", MIDDLE),
        ],
    };
    let kinds = if size == CubeSize::Two { 3 } else { 6 };
    let (name, face, layers) = match random.below(kinds) {
        0 => (letter, face, ONE),
        1 => {
            let (name, face) = one_of(random, &rotations);
            (name.into(), face, WHOLE)
        }
        2 => {
            let (numbers, wide, layers) = one_of(random, numbered);
            let letter =
                if wide == "w" && random.below(2) == 0 { letter.to_lowercase() } else { letter + wide };
            (format!("{numbers}{letter}"), face, layers)
        }
        3 => {
            let (name, face) = one_of(random, &slices);
            (name.into(), face, MIDDLE)
        }
        4 => (letter + "w", face, WIDE),
        _ => (letter.to_lowercase(), face, WIDE),
    };
    let (suffix, quarters) = one_of(
        random,
        &[
            ("", 1),
            ("'", 3),
            ("2", 2),
            ("2'", 2),
            ("’", 3),
            ("3", 3),
            ("3′", 1),
            ("`", 3),
            ("5", 1),
            ("6'", 2),
        ],
    );
    text.push_str(&name);
    text.push_str(suffix);
    ReferenceMove(face, layers, quarters)
}

/// Writes a random algorithm, and returns its moves.
fn random_algorithm(
    random: &mut Stream,
    size: CubeSize,
    depth: usize,
    text: &mut String,
) -> Vec<ReferenceMove> {
    let mut moves = Vec::new();
    for _ in 0..1 + random.below(4) {
        let kind = if depth == 0 { 0 } else { random.below(6) };
        let mut part = match kind {
            0..3 => vec![random_move(random, size, text)],
            3 => {
                text.push('(');
                let group = random_algorithm(random, size, depth - 1, text);
                text.push(')');
                group
            }
            _ => {
                text.push('[');
                let first = random_algorithm(random, size, depth - 1, text);
                text.push_str(if kind == 4 { ", " } else { " : " });
                let second = random_algorithm(random, size, depth - 1, text);
                text.push(']');
                let last = if kind == 4 { inverse(&second) } else { Vec::new() };
                [first.clone(), second, inverse(&first), last].concat()
            }
        };
        if kind >= 3 {
            let (suffix, count, is_inverse) = one_of(
                random,
                &[("", 1, false), ("'", 1, true), ("2", 2, false), ("3'", 3, true), ("*2", 2, false)],
            );
            text.push_str(suffix);
            if is_inverse {
                part = inverse(&part);
            }
            part = part.repeat(count);
        }
        moves.extend(part);
        text.push_str(one_of(random, &[" ", "\n", "  ", " // R U [comment\n", " /* R ( // */ "]));
    }
    moves
}

fn reference(size: CubeSize, moves: &[ReferenceMove]) -> ReferenceCube {
    let mut cube = ReferenceCube::solved(size);
    moves.iter().for_each(|&ReferenceMove(face, layers, quarters)| cube.turn_layers(face, layers, quarters));
    cube
}

fn after<C: CubePuzzle>(turns: &[FaceTurn]) -> C {
    turns.iter().fold(C::SOLVED, |cube, &turn| cube.after(turn))
}

/// Checks one random algorithm: parsing, expansion, printing, inversion and simplification.
fn check<C: CubePuzzle>(seed: u64) {
    let (mut random, mut text) = (Stream::new(seed, 0), String::new());
    let moves = random_algorithm(&mut random, C::SIZE, 2, &mut text);
    let algorithm = CubeAlgorithm::parse(&text, C::SIZE).unwrap();
    let framed = algorithm.framed_turns();
    // The face turns lead to the state of the cube in space, after rotations to the standard orientation.
    let mut expected = reference(C::SIZE, &moves);
    let rotations = framed.orientation.to_standard();
    assert!(rotations.len() <= 2);
    for rotation in &rotations {
        expected.turn_layers(rotation.axis().face(), &[-1, 0, 1], rotation.quarters());
    }
    assert_eq!(after::<C>(&framed.turns).faces(), expected.colors(), "{text}");
    if C::SIZE == CubeSize::Two {
        assert!(framed.turns.iter().all(|turn| turn.face() < Face::D), "{text}");
    }
    // The effect is that of the cube in space.
    let effect = algorithm.effect();
    assert_eq!(effect.stickers, expected.colors(), "{text}");
    let rotations =
        effect.orientation.rotations().iter().map(LayerMove::to_string).collect::<Vec<_>>().join(" ");
    let rotated = CubeAlgorithm::parse(&rotations, C::SIZE).unwrap().framed_turns().orientation;
    assert_eq!((effect.orientation, rotated), (framed.orientation, framed.orientation), "{text}");
    let mut repeated = ReferenceCube::solved(C::SIZE);
    let solved = repeated.colors();
    // Long algorithms of high order would take minutes.
    if moves.len() * effect.order as usize <= 1_000 {
        let is_solved = (1..=effect.order).map(|_| {
            for &ReferenceMove(face, layers, quarters) in &moves {
                repeated.turn_layers(face, layers, quarters);
            }
            repeated.colors() == solved
        });
        assert_eq!(is_solved.filter(|is_solved| *is_solved).count(), 1, "{text}: {}", effect.order);
        assert_eq!(repeated.colors(), solved, "{text}: {}", effect.order);
    }
    // A printed algorithm is parsed to the same algorithm.
    let parsed = |algorithm: &CubeAlgorithm| CubeAlgorithm::parse(&algorithm.to_string(), C::SIZE).unwrap();
    assert_eq!(parsed(&algorithm), algorithm, "{text}");
    assert_eq!(parsed(&algorithm.expanded()).moves(), algorithm.moves(), "{text}");
    // The inverse composes to the identity.
    let inverse = algorithm.inverse();
    assert_eq!(inverse.inverse().moves(), algorithm.moves(), "{text}");
    let both = CubeAlgorithm::parse(&format!("{algorithm} {inverse}"), C::SIZE).unwrap().framed_turns();
    assert!(after::<C>(&both.turns).is_solved(), "{text}");
    assert_eq!(both.orientation, CubeOrientation::STANDARD, "{text}");
    assert!(
        CubeAlgorithm::parse(&format!("{algorithm} {inverse}"), C::SIZE)
            .unwrap()
            .simplified()
            .moves()
            .is_empty()
    );
    // Simplification keeps state and orientation, and leaves nothing to simplify.
    let simple = algorithm.simplified();
    for metric in MoveMetric::ALL {
        assert!(metric.length(&simple.moves()) <= metric.length(&algorithm.moves()), "{text}: {simple}");
    }
    assert_eq!(simple.simplified(), simple, "{text}");
    let simple_turns = simple.framed_turns();
    assert_eq!(simple_turns.orientation, framed.orientation, "{text}");
    assert_eq!(after::<C>(&simple_turns.turns).faces(), expected.colors(), "{text}");
    let turns = simplify_turns(&framed.turns);
    assert_eq!(after::<C>(&turns).faces(), expected.colors(), "{text}");
    for metric in [TurnMetric::Half, TurnMetric::Quarter] {
        assert!(metric.length(&turns) <= metric.length(&framed.turns));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn algorithms_of_cube3_are_parsed_inverted_and_simplified(seed in any::<u64>()) {
        check::<Cube3>(seed);
    }

    #[test]
    fn algorithms_of_cube2_are_parsed_inverted_and_simplified(seed in any::<u64>()) {
        check::<Cube2>(seed);
    }
}

/// Returns the expanded moves of an algorithm of the 3×3×3 cube.
fn expanded(text: &str) -> String {
    CubeAlgorithm::parse(text, CubeSize::Three).unwrap().expanded().to_string()
}

#[test]
fn brackets_are_expanded() {
    for (text, expected) in [
        ("(R U R' U')2", "R U R' U' R U R' U'"),
        ("(R U)'", "U' R'"),
        ("(R U2)2'", "U2 R' U2 R'"),
        ("[R, U]", "R U R' U'"),
        ("[R, U]'", "U R U' R'"),
        ("[R: U]2", "R U R' R U R'"),
        ("[F: [R, U]]", "F R U R' U' F'"),
        ("[r U : [M, E2]] x y'", "Rw U M E2 M' E2 U' Rw' x y'"),
        ("R (U, R) // then (nothing", "R U R"),
        ("// only a comment", ""),
    ] {
        assert_eq!(expanded(text), expected, "{text}");
    }
}

/// Algorithms that are known to every speedcuber, with their effect.
#[test]
fn known_algorithms_hold() {
    let state = |text: &str| after::<Cube3>(&parse_turns(text, CubeSize::Three).unwrap());
    for (text, order) in
        [("R U R' U'", 6), ("R U R' U R U2 R'", 6), ("r U R' U' r' F R F'", 3), ("M2 U M2 U2 M2 U M2", 2)]
    {
        let repeated = |count| state(&format!("({text}){count}"));
        assert!((1..order).all(|count| !repeated(count).is_solved()), "{text}");
        assert!(repeated(order).is_solved(), "{text}");
    }
    // The H permutation by slice turns and by face turns.
    assert_eq!(state("M2 U M2 U2 M2 U M2"), state("R2 L2 D R2 L2 U2 R2 L2 D R2 L2"));
    let checkerboard = Cube3::from_stickers("UDUDUDUDU RLRLRLRLR FBFBFBFBF DUDUDUDUD LRLRLRLRL BFBFBFBFB");
    assert_eq!(Ok(state("M2 E2 S2")), checkerboard);
    assert_eq!(format_turns(&parse_turns("y' R U y", CubeSize::Three).unwrap()), "F U");
    assert_eq!(format_turns(&parse_turns("M", CubeSize::Three).unwrap()), "R L'");
    assert_eq!(format_turns(&parse_turns("x' L y R", CubeSize::Two).unwrap()), "R F");
}

#[test]
fn moves_are_simplified() {
    let simplified = |text| CubeAlgorithm::parse(text, CubeSize::Three).unwrap().simplified().to_string();
    for (text, expected) in [
        ("U U", "U2"),
        ("U U U", "U'"),
        ("U2 U2", ""),
        ("R L R", "R2 L"),
        ("R U D2 U' R'", "R D2 R'"),
        ("R U U' R'", ""),
        ("R M L x R'", "R"),
        ("R L' x'", "M"),
        ("Rw2 R' M' x2 Lw'", "Rw' Lw"),
        ("x R' Lw' M U M2 M2", "Lw2 M U"),
        ("M2 x2 S U", "M2 x2 S U"),
        ("x y x'", "x y x'"),
        ("Rw R", "Rw R"),
    ] {
        assert_eq!(simplified(text), expected, "{text}");
    }
    let of_two = |text| CubeAlgorithm::parse(text, CubeSize::Two).unwrap().simplified().to_string();
    assert_eq!((of_two("R L'"), of_two("L x U")), ("x".to_owned(), "R U".to_owned()));
    let turns = parse_turns("U U R2 R' L L2 F B F'", CubeSize::Three).unwrap();
    assert_eq!(format_turns(&simplify_turns(&turns)), "U2 R L' B");
}

#[test]
fn numbered_layers_are_written_without_numbers() {
    for (text, size, expected) in [
        ("1R 2R 3R", CubeSize::Three, "R M' L'"),
        ("2Uw 3Uw 2-3Uw", CubeSize::Three, "Uw y Dw'"),
        ("2r 3f2' 1-3l 2-3b'", CubeSize::Three, "Rw z2 x' Fw"),
        ("2R 2Rw 1-2d'", CubeSize::Two, "L' x y"),
        ("U5 (R6)' F7'", CubeSize::Two, "U R2 F"),
        ("R /* the // second ] */ U //* third\nF", CubeSize::Two, "R U F"),
    ] {
        let algorithm = CubeAlgorithm::parse(text, size).unwrap();
        assert_eq!(algorithm.expanded().to_string(), expected, "{text}");
    }
}

#[test]
fn cycles_name_the_stickers_that_move() {
    let cycles = |text| {
        let effect = CubeAlgorithm::parse(text, CubeSize::Three).unwrap().effect();
        let cycles = effect.cycles.iter().map(PieceCycle::to_string).collect::<Vec<_>>();
        (cycles.join(" "), effect.order)
    };
    for (text, expected, order) in [
        ("", "", 1),
        ("x", "", 4),
        ("U", "(URF UFL ULB UBR) (UR UF UL UB)", 4),
        // The sexy move.
        ("R U R' U'", "(URF RDF)+ (ULB RUB)- (UR UB FR)", 6),
        // The Niklas, two flipped edges, and two twisted corners.
        ("R U' L' U R' U' L U", "(URF BRU BUL)", 3),
        ("M' U M' U M' U2 M U M U M U2", "(UF)+ (UB)+", 2),
        ("(R' D' R D)2 U (D' R' D R)2 U'", "(URF)- (UBR)+", 3),
    ] {
        assert_eq!(cycles(text), (expected.to_owned(), order), "{text}");
    }
}

#[test]
fn lengths_depend_on_the_metric() {
    let lengths = |text| {
        let moves = CubeAlgorithm::parse(text, CubeSize::Three).unwrap().moves();
        MoveMetric::ALL.map(|metric| metric.length(&moves))
    };
    // Half turns, quarter turns, slice turns, executed moves.
    for (text, expected) in [
        ("R U2 F'", [3, 4, 3, 3]),
        ("M2 U M", [5, 7, 3, 3]),
        ("x Rw2 y'", [1, 2, 1, 3]),
        ("(R U3)2", [4, 4, 4, 4]),
    ] {
        assert_eq!(lengths(text), expected, "{text}");
    }
    assert_eq!(MoveMetric::ALL.map(MoveMetric::name), ["HTM", "QTM", "STM", "ETM"]);
}

#[test]
fn orientations_return_to_standard() {
    let parse = |text| CubeAlgorithm::parse(text, CubeSize::Three).unwrap().framed_turns().orientation;
    for (text, expected) in [("x", "x'"), ("x y x'", "z'"), ("y2", "y2"), ("M", "x"), ("r U R'", "x'")] {
        let rotations: Vec<String> = parse(text).to_standard().iter().map(LayerMove::to_string).collect();
        assert_eq!(rotations.join(" "), expected, "{text}");
    }
    assert_eq!(parse("x").at(Face::U), Face::F);
    assert_eq!(parse("").to_standard(), Vec::new());
}

#[test]
fn an_inverse_has_no_apostrophe_after_brackets() {
    for (text, inverse) in [
        ("[R U: [M', U2]]", "[R U: [U2, M']]"),
        ("(R U R')3 F", "F' (R U' R')3"),
        ("[R, U]2", "[U, R]2"),
        ("(R U)'", "(R U)"),
        ("[x: R]", "[x: R']"),
    ] {
        assert_eq!(
            CubeAlgorithm::parse(text, CubeSize::Three).unwrap().inverse().to_string(),
            inverse,
            "{text}"
        );
    }
}
