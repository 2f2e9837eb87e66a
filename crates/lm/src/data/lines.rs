//! Plain text, cut where lines end.

use super::Source;
use std::io;

/// How far a line end is looked for.
const LOOK: u64 = 4096;

/// Where the piece begins that would begin at `at`: behind the first line end from the byte before on (the end of the text
/// is one), or where lines are long, at the first character. Neighbouring pieces ask for the same place, so they meet.
pub fn boundary(source: &dyn Source, at: u64, buffer: &mut Vec<u8>) -> io::Result<u64> {
    let len = source.len();
    if at == 0 || at >= len {
        return Ok(at.min(len));
    }
    let from = at - 1;
    buffer.resize(LOOK.min(len - from) as usize, 0);
    source.read_at(from, buffer)?;
    let behind = match buffer.iter().position(|&byte| byte == b'\n') {
        Some(line_end) => line_end + 1,
        None if len - from <= LOOK => buffer.len(),
        None => 1 + buffer[1..].iter().take(3).take_while(|&&byte| byte & 0xc0 == 0x80).count(),
    };
    Ok(from + behind as u64)
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
        for (at, found) in (0..).step_by(1000).zip(boundaries(&text, 1000)) {
            assert!(text.is_char_boundary(found as usize), "{found}");
            let last_line = at + LOOK > text.len() as u64;
            assert_eq!(found, if last_line { text.len() as u64 } else { at.next_multiple_of(4).min(at + 3) });
        }
    }
}
