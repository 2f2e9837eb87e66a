//! GPT-2's mapping of bytes to printable characters (`bytes_to_unicode`; Radford et al. 2019).
//!
//! Printable Latin-1 bytes map to the characters with the same codes and come first in the vocabulary. All other bytes
//! map to the characters from U+0100 on. The token strings in `tokenizer.json` therefore contain no spaces or control
//! characters.

/// Returns whether GPT-2's mapping maps a byte to the character with the same code.
const fn prints(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff)
}

/// Byte that each of the first 256 BPE tokens represents, indexed by token.
pub const BYTES: [u8; 256] = {
    let mut order = [0; 256];
    let (mut place, mut code) = (0, 0);
    while code < 512 {
        let byte = code as u8;
        if (code < 256) == prints(byte) {
            order[place] = byte;
            place += 1;
        }
        code += 1;
    }
    order
};

/// BPE token that represents each byte, the inverse of [`BYTES`].
pub const TOKENS: [u8; 256] = {
    let mut tokens = [0; 256];
    let mut token = 0;
    while token < 256 {
        tokens[BYTES[token] as usize] = token as u8;
        token += 1;
    }
    tokens
};

/// Number of bytes that GPT-2's mapping maps to the character with the same code.
const PRINTING: u8 = 188;

/// Returns the printable character that represents a byte in `tokenizer.json`.
fn character(byte: u8) -> char {
    let token = TOKENS[usize::from(byte)];
    if token < PRINTING {
        char::from(byte)
    } else {
        char::from_u32(0x100 + u32::from(token - PRINTING)).unwrap_or('?')
    }
}

/// Returns the byte that a printable character represents; `None` if no byte maps to the character.
fn byte(character: char) -> Option<u8> {
    match character as u32 {
        code @ 0..256 => prints(code as u8).then_some(code as u8),
        code => BYTES.get(usize::from(PRINTING) + code as usize - 0x100).copied(),
    }
}

/// Returns the string that represents a token in `tokenizer.json`: one printable character for each byte of the token.
pub fn write(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| character(byte)).collect()
}

/// Returns the bytes of a token from the string that [`write`] returned; `None` if a character represents no byte.
pub fn read(name: &str) -> Option<Vec<u8>> {
    name.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_one_token_and_one_name() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(read(&write(&all)), Some(all.clone()));
        let mut sorted = BYTES.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, all);
        assert_eq!(BYTES.iter().filter(|&&byte| prints(byte)).count(), usize::from(PRINTING));
    }

    #[test]
    fn names_are_those_of_gpt_2() {
        // Entries of GPT-2's `vocab.json`.
        assert_eq!(write(b" \n\tAz~"), "ĠĊĉAz~");
        assert_eq!(write("é".as_bytes()), "Ã©");
        assert_eq!([b'!', b'~', 0xff, 0, b' '].map(|byte| TOKENS[usize::from(byte)]), [0, 93, 187, 188, 220]);
        assert_eq!(read("a b"), None);
        assert_eq!(read("中"), None);
    }
}
