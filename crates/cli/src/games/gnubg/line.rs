//! Messages of GNU Backgammon's external-player interface, in the format of the backgammon server FIBS.

use vivarium_envs::backgammon::{BAR, OFF, POINTS, Position, Roll};

/// Formats a position as a FIBS board message of a money game, from the view of the player on roll (`me`). `roll` is
/// `None` before the dice are rolled.
///
/// Fields in the order of the FIBS client protocol: names, match length (9999 for money), scores; 26 points from the
/// opponent's bar to the own bar, with negative numbers for the opponent's checkers; turn, dice, cube, doubling
/// rights, color, direction; checkers off and on the bar.
pub fn format_board(position: &Position, roll: Option<Roll>) -> String {
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

/// Parses the five outcome probabilities in a reply of GNU Backgammon: win, win by a gammon, win by a backgammon,
/// loss by a gammon, loss by a backgammon. The equity at the end of the reply is ignored. Returns `None` if the reply
/// is invalid.
pub fn parse_probabilities(reply: &str) -> Option<[f32; 5]> {
    let mut numbers = reply.split_whitespace().map(str::parse);
    let mut probabilities = [0.0; 5];
    for probability in &mut probabilities {
        *probability = numbers.next()?.ok().filter(|probability| (0.0..=1.0).contains(probability))?;
    }
    Some(probabilities)
}

/// Converts a play in a reply of GNU Backgammon to standard notation: `bar` instead of point 25, `off` instead of
/// point 0.
pub fn to_standard_notation(reply: &str) -> String {
    let place = |place: &str| match place {
        "25" => "bar".to_owned(),
        "0" => "off".to_owned(),
        other => other.to_owned(),
    };
    let part = |part: &str| part.split('/').map(place).collect::<Vec<_>>().join("/");
    reply.split_whitespace().map(part).collect::<Vec<_>>().join(" ")
}
