use vivarium_envs::cube::{CubeAlgorithm, CubeSize, Face, FaceTurn, TurnMetric, format_turns, parse_turns};
use vivarium_kernels::rng::Stream;

#[test]
fn formatted_turns_are_parsed() {
    let mut random = Stream::new(1, 0);
    for size in [CubeSize::Two, CubeSize::Three] {
        let all = TurnMetric::Half.turns(size);
        for length in 0..50 {
            let turns: Vec<_> = (0..length).map(|_| all[random.below(all.len() as u32) as usize]).collect();
            assert_eq!(parse_turns(&format_turns(&turns), size), Ok(turns));
        }
    }
    assert_eq!(format_turns(&parse_turns("R U2 F'", CubeSize::Two).unwrap()), "R U2 F'");
}

#[test]
fn turns_have_numbers_and_inverses() {
    for (index, &turn) in TurnMetric::Half.turns(CubeSize::Three).iter().enumerate() {
        assert_eq!(turn.index(), index);
        assert_eq!(FaceTurn::new(turn.face(), turn.quarters()), Some(turn));
        assert_eq!(turn.inverse().inverse(), turn);
        assert_eq!((turn.quarters() + turn.inverse().quarters()) % 4, 0);
    }
    assert_eq!(FaceTurn::new(Face::L, 4), None);
    for metric in [TurnMetric::Quarter, TurnMetric::Half] {
        let turns = metric.turns(CubeSize::Three);
        for (number, turn) in turns.iter().enumerate() {
            assert_eq!(turns[metric.inverse(number)], turn.inverse());
            let wasteful = metric.redundant_after(number);
            for (other, next) in turns.iter().enumerate() {
                let wastes = match metric {
                    TurnMetric::Quarter => *next == turn.inverse(),
                    TurnMetric::Half => next.face() == turn.face(),
                };
                assert_eq!(wasteful.contains(&other), wastes);
            }
        }
    }
    assert_eq!(format_turns(TurnMetric::Quarter.turns(CubeSize::Two)), "U U' R R' F F'");
    assert_eq!(format_turns(TurnMetric::Half.turns(CubeSize::Two)), "U U2 U' R R2 R' F F2 F'");
}

#[test]
fn alternative_notations_are_parsed() {
    let expected = parse_turns("R U2 F' U R'", CubeSize::Two);
    assert!(expected.is_ok());
    for text in [
        "RU2F'UR'",
        " R  U2\nF’,U R′ ",
        "R,U2,F`,U,R´",
        "R1 U2 Fi U Ri",
        "R U2' F3 U R3",
        "R3' U2 F'UR’",
        "R . U2 .F'.. U.R'",
        "R U'2 F'U R’1",
    ] {
        assert_eq!(parse_turns(text, CubeSize::Two), expected, "{text:?}");
    }
    assert_eq!(parse_turns("", CubeSize::Three), Ok(Vec::new()));
    assert_eq!(parse_turns(" , ", CubeSize::Three), Ok(Vec::new()));
}

#[test]
fn rotations_may_be_in_brackets_and_numbers_may_follow_the_apostrophe() {
    for (text, expected, size) in [
        ("[u'] R [r2] [f]", "y' R x2 z", CubeSize::Three),
        ("[d][l]U[b'2]", "y' x' U z2", CubeSize::Two),
        ("R'2 U r' 2-3Rw", "R2' U r' 2-3Rw", CubeSize::Three),
        ("(R U)'2", "(R U)2'", CubeSize::Three),
    ] {
        let parse = |text| CubeAlgorithm::parse(text, size).unwrap();
        assert_eq!(parse(text).to_string(), parse(expected).to_string(), "{text:?}");
    }
    // One wide turn with a second part is a commutator or a conjugate.
    for text in ["[r, U]", "[r2': U]"] {
        assert!(CubeAlgorithm::parse(text, CubeSize::Three).unwrap().to_string().starts_with('['));
    }
}

#[test]
fn errors_have_position_problem_and_remedy() {
    let error = |text, size| parse_turns(text, size).unwrap_err().to_string();
    let moves_of_two = "moves of the 2×2×2 cube are U R F D L B and rotations x y z";
    let moves = "moves are U R F D L B, wide turns Rw or r, slices M E S and rotations x y z";
    let unknown = |token, at, moves| format!("{token:?} at character {at}: this is not a move; {moves}");
    for (text, size, expected) in [
        ("R U Q", CubeSize::Two, unknown("Q", 5, moves_of_two)),
        ("R U2 G'", CubeSize::Three, unknown("G'", 6, moves)),
        ("R 🙂", CubeSize::Three, unknown("🙂", 3, moves)),
        ("é", CubeSize::Three, unknown("é", 1, moves)),
        ("R wide", CubeSize::Three, unknown("w", 3, moves)),
        ("R-", CubeSize::Three, unknown("-", 2, moves)),
    ] {
        assert_eq!(error(text, size), expected);
    }
    for (text, size, start, part) in [
        ("R U4 F", CubeSize::Two, "\"U4\" at character 3:", "moves nothing; remove the move"),
        ("R0'", CubeSize::Three, "\"R0'\" at character 1:", "moves nothing; remove the move"),
        ("R 4Rw", CubeSize::Three, "\"4Rw\" at character 3:", "count from the face, 1 to 3"),
        ("0R", CubeSize::Three, "\"0R\" at character 1:", "count from the face, 1 to 3"),
        ("3R", CubeSize::Two, "\"3R\" at character 1:", "count from the face, 1 to 2"),
        ("3-2Rw", CubeSize::Three, "\"3-2Rw\" at character 1:", "the lower number first"),
        ("2-3R", CubeSize::Three, "\"2-3R\" at character 1:", "write Rw after the numbers"),
        ("2-Rw", CubeSize::Three, "\"2-\" at character 1:", "write 2-3Rw"),
        ("R 2M", CubeSize::Three, "\"2\" at character 3:", "a layer number directly precedes a face"),
        ("R / U", CubeSize::Three, "\"/\" at character 3:", "write . for a pause"),
        ("R /* U", CubeSize::Three, "\"/\" at character 3:", "not closed; add */"),
        ("R''", CubeSize::Three, "\"R''\" at character 1:", "only one apostrophe"),
        ("R'2U", CubeSize::Three, "\"R'2\" at character 1:", "put a blank before or after it"),
        ("R'2-3Rw", CubeSize::Three, "\"R'2\" at character 1:", "put a blank before or after it"),
        ("R2'2", CubeSize::Three, "\"R2'2\" at character 1:", "only one number"),
        ("[R]", CubeSize::Three, "\"[R]\" at character 1:", "two parts"),
        ("(R U) 2", CubeSize::Three, "\"2\" at character 7:", "must directly follow"),
        ("R X", CubeSize::Three, "\"X\" at character 3:", "write x"),
        ("m2", CubeSize::Three, "\"m2\" at character 1:", "write M"),
        ("R\n U // comment )\n  Q", CubeSize::Three, "\"Q\" at line 3, character 3:", "not a move"),
        (
            "r U",
            CubeSize::Two,
            "\"r\" at character 1:",
            "no wide turns; write R, which turns the same corners as Rw on the 3×3×3 cube, or x",
        ),
        ("U Fw2'", CubeSize::Two, "\"Fw2'\" at character 3:", "write F, which turns the same corners"),
        ("U M2", CubeSize::Two, "\"M2\" at character 3:", "no middle layer, so M does not exist"),
        ("(R U", CubeSize::Three, "\"(R U\" at character 1:", "not closed; add ')'"),
        ("R (U [R, F)", CubeSize::Three, "\")\" at character 11:", "']' is expected"),
        ("[R, U", CubeSize::Three, "\"[R, U\" at character 1:", "not closed; add ']'"),
        ("R U)", CubeSize::Three, "\")\" at character 4:", "closes nothing"),
        ("R : U", CubeSize::Three, "\":\" at character 3:", "not a move"),
        ("[R U]", CubeSize::Three, "\"[R U]\" at character 1:", "two parts"),
        ("[R, U, F]", CubeSize::Three, "\",\" at character 6:", "two parts"),
        ("[R,]", CubeSize::Three, "\"]\" at character 4:", "moves are missing"),
        ("()", CubeSize::Three, "\")\" at character 2:", "moves are missing"),
        ("(R U)x2", CubeSize::Three, "\"x2\" at character 6:", "for a repetition write (R U)2"),
        ("(R U)X2", CubeSize::Three, "\"X2\" at character 6:", "for a repetition write (R U)2"),
        ("(R)0", CubeSize::Three, "\"0\" at character 4:", "repetitions must be 1 to"),
        ("(R)*", CubeSize::Three, "\"*\" at character 4:", "repetitions must be 1 to"),
        ("(R)999999999999", CubeSize::Three, "", "must not exceed 100000"),
        ("(((R U)1000)1000)1000", CubeSize::Three, "\"((R U)1000)1", "more than 100000 moves"),
    ] {
        let error = error(text, size);
        assert!(error.starts_with(start) && error.contains(part), "{text:?}: {error}");
    }
    let deep = "(".repeat(100_000) + "R" + &")".repeat(100_000);
    assert!(error(&deep, CubeSize::Three).contains("nested deeper than 32 levels"));
}
