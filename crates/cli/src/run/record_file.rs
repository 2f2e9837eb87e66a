//! Append-only files, which keep the records that could not be written.

use std::io::{self, Error, ErrorKind, Write};

/// Number of buffered bytes from which records are written.
const BUFFER: usize = 8 << 10;

/// Maximum number of bytes that are kept while writing fails. Further records are lost.
const MOST_PENDING: usize = 16 << 20;

/// Append-only file. After a write error, such as a full disk, the records stay in memory for the next
/// [`flush`](Self::flush).
#[derive(Debug)]
pub struct RecordFile<W> {
    out: W,
    pending: Vec<u8>,
    /// Whether the last write failed.
    is_failing: bool,
    lost: u64,
}

impl<W: Write> RecordFile<W> {
    pub fn new(out: W) -> Self {
        Self { out, pending: Vec::new(), is_failing: false, lost: 0 }
    }

    /// Appends a record. After a write error, only [`flush`](Self::flush) writes again.
    ///
    /// # Errors
    /// [`io::Error`] if the file cannot be written; the record is kept.
    pub fn append(&mut self, record: &[u8]) -> io::Result<()> {
        if self.pending.len() + record.len() > MOST_PENDING {
            self.lost += 1;
            return Ok(());
        }
        self.pending.extend(record);
        if self.pending.len() < BUFFER || self.is_failing { Ok(()) } else { self.flush() }
    }

    /// Writes all records that are in memory.
    ///
    /// # Errors
    /// [`io::Error`] if the file cannot be written; the unwritten records are kept.
    pub fn flush(&mut self) -> io::Result<()> {
        let mut written = 0;
        let outcome = loop {
            if written == self.pending.len() {
                break self.out.flush();
            }
            match self.out.write(&self.pending[written..]) {
                Ok(0) => break Err(Error::from(ErrorKind::WriteZero)),
                Ok(bytes) => written += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.pending.drain(..written);
        self.is_failing = outcome.is_err();
        outcome
    }

    /// Returns the number of records that have been lost because too many waited to be written.
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// File on a disk with limited space.
    #[derive(Default)]
    struct Disk {
        bytes: Vec<u8>,
        free: usize,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.free);
            if count == 0 {
                return Err(ErrorKind::StorageFull.into());
            }
            self.free -= count;
            self.bytes.extend(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn records_of_a_full_disk_are_written_when_there_is_room_again() {
        let mut file = RecordFile::new(Disk { free: 10_000, ..Disk::default() });
        let records: Vec<String> = (0..3000).map(|number| format!("{number:09}\n")).collect();
        let failures = records.iter().filter(|record| file.append(record.as_bytes()).is_err()).count();
        assert_eq!(failures, 1, "the disk is full at the second write");
        assert!(file.flush().is_err());
        file.out.free = usize::MAX;
        file.flush().unwrap();
        assert_eq!(file.out.bytes, records.concat().into_bytes());
        assert_eq!(file.lost(), 0);
    }

    #[test]
    fn the_memory_for_unwritten_records_is_bounded() {
        let mut file = RecordFile::new(Disk::default());
        let record = vec![0; MOST_PENDING / 4];
        for _ in 0..5 {
            let _ = file.append(&record);
        }
        assert_eq!((file.pending.len(), file.lost()), (MOST_PENDING, 1));
    }
}
