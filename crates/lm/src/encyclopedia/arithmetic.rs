//! Articles on whole numbers: number words, Roman numerals, prime factors and squares are computed.

use super::prose::{Prose, list};
use super::statement::Relation;
use vivarium_kernels::rng::Stream;

/// Returns the English name of a number below one million, such as "twelve".
pub fn words(number: u32) -> String {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 10] =
        ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let and = |rest: u32, between: &str| {
        if rest == 0 { String::new() } else { format!("{between}{}", words(rest)) }
    };
    match number {
        0..20 => SMALL[number as usize].to_owned(),
        20..100 => format!("{}{}", TENS[number as usize / 10], and(number % 10, "-")),
        100..1000 => format!("{} hundred{}", SMALL[number as usize / 100], and(number % 100, " and ")),
        _ => {
            let rest = number % 1000;
            let between = if rest < 100 { " and " } else { " " };
            format!("{} thousand{}", words(number / 1000), and(rest, between))
        }
    }
}

/// Returns the Roman numeral of a number from 1 to 3999.
pub fn roman(mut number: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while number >= value {
            text.push_str(sign);
            number -= value;
        }
    }
    text
}

/// Returns the prime factors of a number in ascending order; repeated factors occur repeatedly. Empty for 1.
pub fn factors(mut number: u32) -> Vec<u32> {
    let (mut factors, mut factor) = (Vec::new(), 2);
    while number > 1 {
        // The remaining number is prime.
        if factor * factor > number {
            factor = number;
        }
        while number.is_multiple_of(factor) {
            factors.push(factor);
            number /= factor;
        }
        factor += 1;
    }
    factors
}

fn divisors(number: u32) -> Vec<String> {
    (1..=number)
        .filter(|&divisor| number.is_multiple_of(divisor))
        .map(|divisor| divisor.to_string())
        .collect()
}

/// Generates the article about a number from 2 to 999,998.
pub fn number(number: u32, stream: Stream) -> Prose {
    let name = number.to_string();
    let mut prose = Prose::new(&format!("{name} (number)"), &name, stream);
    let (before, after) = ((number - 1).to_string(), (number + 1).to_string());
    let in_words = words(number);
    let parity = if number.is_multiple_of(2) { "even" } else { "odd" };
    let slots =
        [("s", &*name), ("before", &*before), ("after", &*after), ("words", &*in_words), ("parity", parity)];
    prose.say(
        &[
            "{s} is the natural number between {before} and {after}.",
            "The number {s} follows {before} and comes before {after}.",
            "{s} is the number after {before} and before {after}.",
        ],
        &slots,
    );
    prose.say(&["In words it is {words}.", "One says {words}.", "It is spelt out as {words}."], &slots);
    prose.say(&["It is an {parity} number.", "{s} is an {parity} number."], &slots);
    if number < 4000 {
        let plans = [
            "In Roman numerals, {s} is {o}.",
            "The Roman numeral of {s} is {o}.",
            "The Romans wrote {o}.",
            "{o} is how the Romans wrote {s}.",
        ];
        prose.state(Relation::Roman, &plans, &name, &roman(number));
    }
    prose.paragraph();
    division(&mut prose, number);
    prose.paragraph();
    powers(&mut prose, number);
    sums(&mut prose, number);
    prose
}

fn division(prose: &mut Prose, number: u32) {
    let (name, factors) = (number.to_string(), factors(number));
    let product: Vec<_> = factors.iter().map(u32::to_string).collect();
    let smallest = &*product[0];
    let product = product.join(" × ");
    let slots = [("s", &*name), ("product", &*product)];
    if factors.len() == 1 {
        return prose.say(
            &[
                "It is a prime number, so its smallest prime factor is {s} itself.",
                "{s} is prime: no number but 1 and {s} divides it.",
                "Only 1 and {s} divide it, and so it is a prime number.",
            ],
            &slots,
        );
    }
    prose.say(
        &[
            "It is not prime, for {s} = {product}.",
            "As a product of prime numbers, {s} is {product}.",
            "{s} can be taken apart into prime factors: {product}.",
        ],
        &slots,
    );
    let plans = ["Its smallest prime factor is {o}.", "The smallest of its prime factors is {o}."];
    prose.state(Relation::SmallestFactor, &plans, &name, smallest);
    let divisors = divisors(number);
    let (count, all) = (divisors.len().to_string(), list(&divisors));
    let slots = [("s", &*name), ("count", &*count), ("list", &*all)];
    if divisors.len() <= 12 {
        prose.say(&["Its divisors are {list}.", "It has {count} divisors: {list}."], &slots);
    } else {
        prose.say(&["It has {count} divisors.", "As many as {count} numbers divide it."], &slots);
    }
}

fn powers(prose: &mut Prose, number: u32) {
    let (name, square) = (number.to_string(), (u64::from(number) * u64::from(number)).to_string());
    let plans = ["The square of {s} is {o}.", "{s} times {s} is {o}.", "{s} × {s} = {o}."];
    prose.state(Relation::Square, &plans, &name, &square);
    let binary = format!("{number:b}");
    let slots = [("s", &*name), ("binary", &*binary)];
    prose.say(&["In the binary system it is written {binary}.", "A computer counts it as {binary}."], &slots);
    let root = number.isqrt();
    if root * root == number {
        let root = root.to_string();
        prose.say(
            &["It is a square number itself, since {root} × {root} = {s}."],
            &[("root", &root), ("s", &name)],
        );
    }
}

fn sums(prose: &mut Prose, number: u32) {
    let name = number.to_string();
    let digits: u32 = name.bytes().map(|digit| u32::from(digit - b'0')).sum();
    if number >= 10 {
        let sum = digits.to_string();
        prose.say(&["Its digits add up to {sum}.", "The sum of its digits is {sum}."], &[("sum", &sum)]);
    }
    // The n-th triangular number is n(n + 1)/2.
    let side = ((8 * u64::from(number) + 1).isqrt() - 1) / 2;
    if side * (side + 1) / 2 == u64::from(number) {
        let side = side.to_string();
        prose.say(
            &[
                "It is triangular: the numbers from 1 to {side} add up to {s}.",
                "{s} is the sum of all numbers from 1 to {side}.",
            ],
            &[("side", &side), ("s", &name)],
        );
    }
    let (mut last, mut next) = (1, 2);
    while next < number {
        (last, next) = (next, last + next);
    }
    if next == number && number > 2 {
        let (first, last) = ((next - last).to_string(), last.to_string());
        let slots = [("s", &*name), ("first", &*first), ("last", &*last)];
        prose
            .say(&["It is a Fibonacci number, the sum of {first} and {last}, which are two others."], &slots);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_right() {
        for (number, expected) in [
            (7, "seven"),
            (13, "thirteen"),
            (40, "forty"),
            (99, "ninety-nine"),
            (100, "one hundred"),
            (342, "three hundred and forty-two"),
            (2006, "two thousand and six"),
            (31_415, "thirty-one thousand four hundred and fifteen"),
            (200_000, "two hundred thousand"),
        ] {
            assert_eq!(words(number), expected);
        }
        let numerals = [4, 9, 14, 40, 90, 400, 1994, 2026, 3999].map(roman);
        assert_eq!(numerals, ["IV", "IX", "XIV", "XL", "XC", "CD", "MCMXCIV", "MMXXVI", "MMMCMXCIX"]);
    }

    #[test]
    fn factors_are_prime_and_multiply_to_the_number() {
        for number in 1..3000 {
            let factors = factors(number);
            assert_eq!(factors.iter().product::<u32>(), number);
            assert!(factors.iter().all(|&f| f > 1 && (2..f).all(|divisor| f % divisor != 0)), "{factors:?}");
            assert!(factors.is_sorted());
        }
    }
}
