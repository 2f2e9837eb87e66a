use super::reference::ReferenceCube;
use vivarium_envs::cube::{Cube2, Cube3, CubeSize, Face, StickerError, TurnMetric};
use vivarium_kernels::rng::Stream;

fn text(stickers: &[Face]) -> String {
    stickers.iter().map(Face::to_string).collect()
}

/// Returns the sticker colors as text after a cyclic permutation: the sticker at each index in `cycle` moves to the
/// next index, the last sticker to the first index.
fn with_cycle(stickers: &[Face], cycle: &[usize]) -> String {
    let mut changed = stickers.to_vec();
    for (at, &from) in cycle.iter().enumerate() {
        changed[cycle[(at + 1) % cycle.len()]] = stickers[from];
    }
    text(&changed)
}

#[test]
fn cubes_are_parsed_from_colors() {
    let mut random = Stream::new(1, 0);
    for _ in 0..2000 {
        let cube = Cube2::random(&mut random);
        assert_eq!(Cube2::from_stickers(&text(&cube.stickers())), Ok(cube));
        let cube = Cube3::random(&mut random);
        let faces = text(&cube.stickers());
        assert_eq!(Cube3::from_stickers(&faces), Ok(cube));
        let colors = faces.replace('U', "w").replace('F', "G").replace('D', "y ").replace('L', "O");
        assert_eq!(Cube3::from_stickers(&colors), Ok(cube));
    }
}

#[test]
fn a_small_cube_may_be_held_in_any_orientation() {
    let mut random = Stream::new(2, 0);
    for _ in 0..50 {
        let (mut reference, mut cube) = (ReferenceCube::solved(CubeSize::Two), Cube2::SOLVED);
        for _ in 0..20 {
            let turns = Cube2::turns(TurnMetric::Quarter);
            let turn = turns[random.below(6) as usize];
            reference.turn(turn);
            cube = cube.turned(turn);
        }
        for _ in 0..30 {
            reference.turn_whole(Face::ALL[random.below(6) as usize]);
            assert_eq!(Cube2::from_stickers(&reference.text()), Ok(cube));
        }
    }
}

#[test]
fn a_large_cube_may_be_held_in_any_orientation() {
    let mut random = Stream::new(3, 0);
    for _ in 0..20 {
        // Rotating the whole cube before a scramble permutes the colors.
        let (mut reference, mut cube) = (ReferenceCube::solved(CubeSize::Three), Cube3::SOLVED);
        for _ in 0..10 {
            reference.turn_whole(Face::ALL[random.below(6) as usize]);
        }
        for _ in 0..20 {
            let turns = Cube3::turns(TurnMetric::Half);
            let turn = turns[random.below(18) as usize];
            reference.turn(turn);
            cube = cube.turned(turn);
        }
        assert_eq!(Cube3::from_stickers(&reference.text()), Ok(cube));
    }
}

#[test]
fn invalid_small_cubes_are_explained() {
    let solved = text(&Cube2::SOLVED.stickers());
    let error = |text: &str| Cube2::from_stickers(text).unwrap_err().to_string();
    assert_eq!(error(&solved[1..]), "there are 23 stickers; this cube has 24");
    assert_eq!(error(""), "there are 0 stickers; this cube has 24");
    assert_eq!(error(&solved.repeat(9)), "there are 216 stickers; this cube has 24");
    assert_eq!(
        error(&solved.replacen('R', "?", 1)),
        "sticker 5 is '?'; colors are written as U R F D L B or as W R G Y O B"
    );
    assert_eq!(error(&solved.replacen('U', "D", 1)), "there are 3 white stickers; each color has 4");

    let stickers = Cube2::SOLVED.stickers();
    // Indices of stickers: corner URF has 3, 4, 9; DFR has 13, 11, 6; UFL has 2, 8, 17.
    let twisted = with_cycle(&stickers, &[3, 4, 9]);
    assert_eq!(Cube2::from_stickers(&twisted), Err(StickerError::Twisted { clockwise: true }));
    let twisted = with_cycle(&stickers, &[9, 4, 3]);
    assert!(error(&twisted).starts_with("a corner is twisted counter-clockwise: "));
    let mirrored = with_cycle(&stickers, &[3, 4]);
    assert!(error(&mirrored).starts_with("the corner at URF is red, white, green: its colors are in"));
    // White and yellow are opposite.
    let impossible = with_cycle(&stickers, &[4, 13]);
    assert!(
        error(&impossible).starts_with("the corner at URF is white, yellow, green: no corner"),
        "{}",
        error(&impossible)
    );
    // The corner at URF has orange instead of red, and is thus a mirrored corner UFL.
    let exchanged = with_cycle(&stickers, &[4, 17]);
    assert!(error(&exchanged).starts_with("the corner at URF is white, orange, green: its colors are in"));
}

#[test]
fn duplicate_pieces_are_found() {
    use Face::{B, D, F, L, R, U};
    // A second corner URF at the position UFL and, to keep the number of stickers of each color, a second DBL at DRB.
    let mut two = Cube2::SOLVED.stickers();
    for (at, color) in [(2, U), (8, R), (17, F), (15, D), (7, B), (22, L)] {
        two[at] = color;
    }
    let expected = "the pieces at URF and UFL are both white, red, green: there is only one of these colors";
    assert_eq!(Cube2::from_stickers(&text(&two)).unwrap_err().to_string(), expected);

    let mut three = Cube3::SOLVED.stickers();
    for (at, color) in [(6, U), (18, R), (38, F), (35, D), (17, B), (51, L)] {
        three[at] = color;
    }
    assert_eq!(Cube3::from_stickers(&text(&three)).unwrap_err().to_string(), expected);

    // A second edge UF at the position UR, and a second DR at DF.
    let mut three = Cube3::SOLVED.stickers();
    (three[10], three[25]) = (F, R);
    let expected = "the pieces at UR and UF are both white, green: there is only one of these colors";
    assert_eq!(Cube3::from_stickers(&text(&three)).unwrap_err().to_string(), expected);
}

#[test]
fn invalid_large_cubes_are_explained() {
    let stickers = Cube3::SOLVED.stickers();
    let error = |text: &str| Cube3::from_stickers(text).unwrap_err();
    assert_eq!(error(&with_cycle(&stickers, &[8, 9, 20])), StickerError::Twisted { clockwise: true });
    assert_eq!(error(&with_cycle(&stickers, &[20, 9, 8])), StickerError::Twisted { clockwise: false });
    // Indices of stickers: edge UR has 5, 10; UF has 7, 19.
    assert_eq!(error(&with_cycle(&stickers, &[5, 10])), StickerError::Flipped);
    assert_eq!(error(&with_cycle(&stickers, &[10, 19])), StickerError::Swapped);
    // Swaps one sticker of the corner URF with one of UFL.
    let swapped = with_cycle(&stickers, &[9, 18]);
    assert!(matches!(Cube3::from_stickers(&swapped), Err(StickerError::NoCorner { .. })));
    let centers = with_cycle(&stickers, &[4, 5]);
    assert_eq!(Cube3::from_stickers(&centers), Cube3::from_stickers(&text(&stickers)));
    let centers = with_cycle(&stickers, &[4, 10]);
    let expected = "the centers of U and R are both red; every center has a color of its own";
    assert_eq!(error(&centers).to_string(), expected);
    // Adjacent and opposite centers, of a solved and of a scrambled cube; errors name faces.
    let mixed = Cube3::random(&mut Stream::new(4, 0)).stickers();
    for stickers in [stickers, mixed] {
        let [first, second] = [Face::U, Face::F];
        let expected = StickerError::ExchangedCenters { first, second };
        assert_eq!(error(&with_cycle(&stickers, &[4, 22])), expected);
        let opposite = error(&with_cycle(&stickers, &[13, 40])).to_string();
        assert!(opposite.starts_with("two centers are exchanged: two opposite faces;"), "{opposite}");
    }
    let edge = with_cycle(&stickers, &[10, 34]);
    assert_eq!(error(&edge).to_string(), "the edge at UR is white, yellow: no edge has these colors");
    let counted = text(&stickers).replacen('B', "F", 1);
    assert_eq!(error(&counted).to_string(), "there are 10 green stickers; each color has 9");
}
