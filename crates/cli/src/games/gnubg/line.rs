//! Messages of the external-player interface, in the format of the backgammon server FIBS.

use vivarium_envs::backgammon::{BAR, OFF, POINTS, Position, Roll};

/// Formats a position as a FIBS board message of a money game, from the view of the player on roll (`me`). `roll` is
/// `None` before the dice are rolled.
///
/// Fields of the FIBS client protocol: names, match length (9999 for money), scores, 26 points from the opponent's bar
/// to the own bar (the opponent's checkers are negative), turn, dice, cube, doubling rights, color, direction, and
/// checkers off and on the bar.
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

/// Parses the five outcome probabilities in a reply from gnubg: win, win by a gammon, win by a backgammon, loss by a
/// gammon, loss by a backgammon. The reply also contains the equity, which is ignored.
pub fn probabilities(answer: &str) -> Option<[f32; 5]> {
    let mut numbers = answer.split_whitespace().map(str::parse);
    let mut probabilities = [0.0; 5];
    for probability in &mut probabilities {
        *probability = numbers.next()?.ok().filter(|probability| (0.0..=1.0).contains(probability))?;
    }
    Some(probabilities)
}

/// Converts a play in a reply from gnubg to standard notation: point 25 becomes `bar`, point 0 becomes `off`.
pub fn play(answer: &str) -> String {
    let place = |place: &str| match place {
        "25" => "bar".to_owned(),
        "0" => "off".to_owned(),
        other => other.to_owned(),
    };
    let part = |part: &str| part.split('/').map(place).collect::<Vec<_>>().join("/");
    answer.split_whitespace().map(part).collect::<Vec<_>>().join(" ")
}
