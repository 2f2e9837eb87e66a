use vivarium_envs::cube::{Face, Metric, Size, Turn, read, write};
use vivarium_kernels::rng::Stream;

#[test]
fn what_is_written_is_read() {
    let mut random = Stream::new(1, 0);
    for size in [Size::Two, Size::Three] {
        let all = Metric::Half.turns(size);
        for length in 0..50 {
            let turns: Vec<_> = (0..length).map(|_| all[random.below(all.len() as u32) as usize]).collect();
            assert_eq!(read(&write(&turns), size), Ok(turns));
        }
    }
    assert_eq!(write(&read("R U2 F'", Size::Two).unwrap()), "R U2 F'");
}

#[test]
fn turns_have_numbers_and_inverses() {
    for (index, &turn) in Metric::Half.turns(Size::Three).iter().enumerate() {
        assert_eq!(turn.index(), index);
        assert_eq!(Turn::new(turn.face(), turn.quarters()), Some(turn));
        assert_eq!(turn.inverse().inverse(), turn);
        assert_eq!((turn.quarters() + turn.inverse().quarters()) % 4, 0);
    }
    assert_eq!(Turn::new(Face::L, 4), None);
    for metric in [Metric::Quarter, Metric::Half] {
        let turns = metric.turns(Size::Three);
        for (number, turn) in turns.iter().enumerate() {
            assert_eq!(turns[metric.inverse(number)], turn.inverse());
            let wasteful = metric.wasteful_after(number);
            for (other, next) in turns.iter().enumerate() {
                let wastes = match metric {
                    Metric::Quarter => *next == turn.inverse(),
                    Metric::Half => next.face() == turn.face(),
                };
                assert_eq!(wasteful.contains(&other), wastes);
            }
        }
    }
    assert_eq!(write(Metric::Quarter.turns(Size::Two)), "U U' R R' F F'");
    assert_eq!(write(Metric::Half.turns(Size::Two)), "U U2 U' R R2 R' F F2 F'");
}

#[test]
fn other_ways_to_write_are_read() {
    let expected = read("R U2 F' U R'", Size::Two);
    assert!(expected.is_ok());
    for text in
        ["RU2F'UR'", " R  U2\nF’,U R′ ", "R,U2,F`,U,R´", "r u2 f' u r'", "R U2' F3 U R3", "R3' U2 F'UR’"]
    {
        assert_eq!(read(text, Size::Two), expected, "{text:?}");
    }
    assert_eq!(read("", Size::Three), Ok(Vec::new()));
    assert_eq!(read(" , ", Size::Three), Ok(Vec::new()));
}

#[test]
fn what_is_no_turn_is_named() {
    let of_two = "turns are U R F, each by itself, with 2 or with '";
    let of_three = "turns are U R F D L B, each by itself, with 2 or with '";
    let error = |text, size| read(text, size).unwrap_err().to_string();
    assert_eq!(error("R U X", Size::Two), format!("turn 3 is \"X\"; {of_two}"));
    assert_eq!(error("R U4 F", Size::Two), format!("turn 2 is \"U4\"; {of_two}"));
    assert_eq!(error("R U2 G'", Size::Three), format!("turn 3 is \"G'\"; {of_three}"));
    assert_eq!(error("2R", Size::Three), format!("turn 1 is \"2\"; {of_three}"));
    assert_eq!(error("R''", Size::Three), format!("turn 1 is \"R''\"; {of_three}"));
    assert_eq!(error("R22", Size::Three), format!("turn 1 is \"R22\"; {of_three}"));
    assert_eq!(error("R 🙂", Size::Three), format!("turn 2 is \"🙂\"; {of_three}"));
    assert_eq!(error("é", Size::Three), format!("turn 1 is \"é\"; {of_three}"));
    assert!(error("R D2", Size::Two).starts_with("turn 2 is \"D2\"; turns are U R F, as the corner"));
    assert!(error("R u'", Size::Three).starts_with("turn 2 is \"u'\"; lower case is for two layers"));
}
