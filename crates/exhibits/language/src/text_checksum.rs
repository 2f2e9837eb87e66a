//! Checksum of a training text, to verify that a run resumes with the same text.

use vivarium_kernels::crc32c;
use vivarium_lm::{ByteSource, DataError};

/// Size in bytes of each block of the training text from which the checksum is computed.
const BLOCK: u64 = 1 << 16;

/// Maximum number of blocks of the training text from which the checksum is computed. The blocks have 16 MiB in total,
/// which limits the time for large texts.
const MAX_BLOCKS: u64 = 256;

/// Returns the CRC-32C checksum of a training text, which is the concatenation of `sources`. For texts above 16 MiB,
/// the checksum covers only 256 evenly spaced blocks of 64 KiB, which include the first and the last byte.
///
/// # Errors
/// [`DataError::Read`] if a source cannot be read.
pub(super) fn of(sources: &[Box<dyn ByteSource>]) -> Result<u32, DataError> {
    let all: u64 = sources.iter().map(|source| source.len()).sum();
    let blocks = all.div_ceil(BLOCK);
    let mut checksum = 0;
    for block in 0..blocks.min(MAX_BLOCKS) {
        let from = match blocks {
            ..=MAX_BLOCKS => block * BLOCK,
            _ => (u128::from(all - BLOCK) * u128::from(block) / u128::from(MAX_BLOCKS - 1)) as u64,
        };
        checksum = append(checksum, sources, from, (from + BLOCK).min(all))?;
    }
    Ok(checksum)
}

/// Extends the CRC-32C `checksum` by the bytes `from..to` of the concatenated sources, and returns the new checksum.
fn append(checksum: u32, sources: &[Box<dyn ByteSource>], from: u64, to: u64) -> Result<u32, DataError> {
    let (mut checksum, mut start, mut bytes) = (checksum, 0, Vec::new());
    for source in sources {
        let end = start + source.len();
        let (first, last) = (from.max(start), to.min(end));
        if first < last {
            bytes.resize((last - first) as usize, 0);
            source.read_at(first - start, &mut bytes).map_err(|error| DataError::Read {
                name: source.name().to_owned(),
                problem: error.to_string(),
            })?;
            checksum = crc32c::append(checksum, &bytes);
        }
        start = end;
    }
    Ok(checksum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use vivarium_lm::data::MemorySource;

    fn sources(parts: &[&[u8]]) -> Vec<Box<dyn ByteSource>> {
        parts.iter().map(|part| Box::new(MemorySource::new("part", *part)) as Box<dyn ByteSource>).collect()
    }

    #[test]
    fn the_checksum_of_a_short_text_covers_every_byte() {
        let bytes: Vec<u8> = (0..3 * BLOCK as u32 + 5).map(|i| ((i ^ (i << 7)) >> 3) as u8).collect();
        let whole = of(&sources(&[&bytes])).unwrap();
        assert_eq!(whole, crc32c::crc32c(&bytes));
        let (start, end) = bytes.split_at(BLOCK as usize + 1);
        assert_eq!(of(&sources(&[start, b"", end])).unwrap(), whole);
        for place in (0..bytes.len()).step_by(997) {
            let mut other = bytes.clone();
            other[place] ^= 1;
            assert_ne!(of(&sources(&[&other])).unwrap(), whole, "{place}");
        }
    }

    /// Training text for tests: zeros except for a single byte of 1, without storage for the zeros.
    struct Huge {
        bytes: u64,
        one: u64,
    }

    impl ByteSource for Huge {
        fn name(&self) -> &'static str {
            "huge"
        }

        fn len(&self) -> u64 {
            self.bytes
        }

        fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
            into.fill(0);
            let place = self.one.checked_sub(at).and_then(|place| into.get_mut(place as usize));
            place.into_iter().for_each(|byte| *byte = 1);
            Ok(())
        }
    }

    #[test]
    fn the_checksum_of_a_huge_text_covers_evenly_spaced_blocks() {
        let huge = |bytes: u64, one: u64| of(&[Box::new(Huge { bytes, one })]).unwrap();
        for bytes in [MAX_BLOCKS * BLOCK + 1, 200_000_000_000, u64::MAX / 2] {
            let none = huge(bytes, u64::MAX);
            for one in [0, BLOCK - 1, bytes - BLOCK, bytes - 1] {
                assert_ne!(huge(bytes, one), none, "{one} of {bytes}");
            }
        }
        assert_eq!(huge(200_000_000_000, BLOCK), huge(200_000_000_000, u64::MAX), "not all of it is read");
    }
}
