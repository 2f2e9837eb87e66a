use vivarium_envs::cube::{CubeSize, Face, FaceTurn, TurnMetric, format_turns, parse_turns};
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
    for text in
        ["RU2F'UR'", " R  U2\nF’,U R′ ", "R,U2,F`,U,R´", "r u2 f' u r'", "R U2' F3 U R3", "R3' U2 F'UR’"]
    {
        assert_eq!(parse_turns(text, CubeSize::Two), expected, "{text:?}");
    }
    assert_eq!(parse_turns("", CubeSize::Three), Ok(Vec::new()));
    assert_eq!(parse_turns(" , ", CubeSize::Three), Ok(Vec::new()));
}

#[test]
fn invalid_turns_are_named() {
    let of_two = "turns are U R F, each by itself, with 2 or with '";
    let of_three = "turns are U R F D L B, each by itself, with 2 or with '";
    let error = |text, size| parse_turns(text, size).unwrap_err().to_string();
    assert_eq!(error("R U X", CubeSize::Two), format!("turn 3 is \"X\"; {of_two}"));
    assert_eq!(error("R U4 F", CubeSize::Two), format!("turn 2 is \"U4\"; {of_two}"));
    assert_eq!(error("R U2 G'", CubeSize::Three), format!("turn 3 is \"G'\"; {of_three}"));
    assert_eq!(error("2R", CubeSize::Three), format!("turn 1 is \"2\"; {of_three}"));
    assert_eq!(error("R''", CubeSize::Three), format!("turn 1 is \"R''\"; {of_three}"));
    assert_eq!(error("R22", CubeSize::Three), format!("turn 1 is \"R22\"; {of_three}"));
    assert_eq!(error("R 🙂", CubeSize::Three), format!("turn 2 is \"🙂\"; {of_three}"));
    assert_eq!(error("é", CubeSize::Three), format!("turn 1 is \"é\"; {of_three}"));
    assert!(
        error("R D2", CubeSize::Two).starts_with("turn 2 is \"D2\"; turns are U R F, as the down-back-left")
    );
    assert!(error("R u'", CubeSize::Three).starts_with("turn 2 is \"u'\"; lower case denotes wide turns"));
}
