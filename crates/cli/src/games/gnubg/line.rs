//! Lines of the external interface: positions as the backgammon server FIBS writes them.

use vivarium_envs::backgammon::{BAR, OFF, POINTS, Position, Roll};

/// A position as FIBS writes it, for money, seen by the player on roll, whose name is `me`; with the dice that are to be
/// played, or before the roll.
///
/// The fields are those of the FIBS client protocol: names, length of the match (9999 for money), scores, 26 places from
/// the opponent's bar to one's own with the opponent's checkers negative, whose turn it is, dice, cube, who may double, color
/// and direction, and numbers of checkers that are off and on the bar.
pub fn board(position: &Position, roll: Option<Roll>) -> String {
    let [mine, theirs] = [position.mine(), position.theirs()];
    let places: Vec<String> = (0..=BAR)
        .map(|place| match place {
            0 => -i32::from(theirs.count(BAR)),
            1..=POINTS => i32::from(mine.count(place)) - i32::from(theirs.count(BAR - place)),
            _ => i32::from(mine.count(BAR)),
        })
        .map(|count| count.to_string())
        .collect();
    let places = places.join(":");
    let [high, low] = roll.map_or([0, 0], |roll| [roll.high(), roll.low()]);
    let [my_off, their_off] = [mine, theirs].map(|side| side.count(OFF));
    let [my_bar, their_bar] = [mine, theirs].map(|side| side.count(BAR));
    format!(
        "board:me:you:9999:0:0:{places}:1:{high}:{low}:0:0:1:1:1:0:1:-1:0:25:{my_off}:{their_off}:{my_bar}:{their_bar}:\
         0:0:0:0"
    )
}

/// The chances of an answer: five of them, and an equity that follows from them.
pub fn chances(answer: &str) -> Option<[f32; 5]> {
    let mut numbers = answer.split_whitespace().map(str::parse);
    let mut chances = [0.0; 5];
    for chance in &mut chances {
        *chance = numbers.next()?.ok().filter(|chance| (0.0..=1.0).contains(chance))?;
    }
    Some(chances)
}

/// A play of an answer as players write it: the interface calls the bar 25 and the place of checkers that are off 0.
pub fn play(answer: &str) -> String {
    let place = |place: &str| match place {
        "25" => "bar".to_owned(),
        "0" => "off".to_owned(),
        other => other.to_owned(),
    };
    let part = |part: &str| part.split('/').map(place).collect::<Vec<_>>().join("/");
    answer.split_whitespace().map(part).collect::<Vec<_>>().join(" ")
}
