//! Plain text, cut where lines end.

use super::Source;
use std::io;

/// How far a line end is looked for.
const LOOK: u64 = 4096;

/// Where the piece begins that would begin at `at`: behind the first line end from the byte before on, or where lines are long,
/// at the first character. Neighboring pieces ask for the same place, so they meet. Behind the last line nothing begins, unless
/// that is a long one.
pub fn boundary(source: &dyn Source, at: u64, buffer: &mut Vec<u8>) -> io::Result<u64> {
    let len = source.len();
    if at == 0 || at >= len {
        return Ok(at.min(len));
    }
    let from = at - 1;
    read(source, from, LOOK.min(len - from), buffer)?;
    let is_last = len - from <= LOOK;
    // A line end that ends the text has nothing behind it.
    let lines = &buffer[..buffer.len() - usize::from(is_last)];
    if let Some(line_end) = lines.iter().position(|&byte| byte == b'\n') {
        return Ok(at + line_end as u64);
    }
    let character = at + buffer[1..].iter().take(3).take_while(|&&byte| byte & 0xc0 == 0x80).count() as u64;
    if !is_last {
        return Ok(character);
    }
    // What is asked about the last bytes is the same wherever it is asked from, so that pieces keep their order.
    let last = len.min(2 * LOOK);
    read(source, len - last, last, buffer)?;
    let has_lines = buffer[..buffer.len() - 1].contains(&b'\n');
    Ok(if has_lines { len } else { character })
}

/// Reads so many bytes.
fn read(source: &dyn Source, from: u64, bytes: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.resize(bytes as usize, 0);
    source.read_at(from, buffer)
}

#[cfg(test)]
mod tests {
    use super::super::Memory;
    use super::*;

    fn boundaries(text: &str, step: usize) -> Vec<u64> {
        let source = Memory::new("text", text.as_bytes());
        let starts = (0..=text.len() + step).step_by(step);
        starts.map(|at| boundary(&source, at as u64, &mut Vec::new()).unwrap()).collect()
    }

    #[test]
    fn pieces_begin_behind_line_ends() {
        assert_eq!(boundaries("one\ntwo\n\nthree", 3), [0, 4, 8, 9, 14, 14]);
        // At a multiple of the step already.
        assert_eq!(boundaries("ab\ncd\n", 3), [0, 3, 6, 6]);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let text = "a中".repeat(3000);
        for text in [text.clone(), text.clone() + "\n"] {
            for (at, found) in (0u64..).step_by(1001).zip(boundaries(&text, 1001)) {
                let character = if at % 4 < 2 { at } else { at.next_multiple_of(4) };
                assert_eq!(found, character.min(text.len() as u64));
            }
        }
    }
}
