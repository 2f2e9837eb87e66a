//! Checkpoints of the pretrained networks in the page, from `www/src/assets/networks`.

use std::path::{Path, PathBuf};
use vivarium_exhibits::REGISTRY;
use vivarium_lab::checkpoint;

/// Number of bit flips that are tested, one at a time, in the header and in the tensors of each file.
const BITS: usize = 100;

fn networks() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/src/assets/networks");
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some()).collect()
}

#[test]
fn shipped_networks_are_of_the_current_format_and_refuse_flipped_bits() {
    let networks = networks();
    assert!(networks.len() >= 3, "{networks:?}");
    for path in networks {
        let good = std::fs::read(&path).unwrap();
        let (header, tensors) = checkpoint::read(&good).unwrap();
        assert!(
            checkpoint::write(&header, &tensors.into_vec()) == good,
            "{} is of an earlier format version",
            path.display()
        );
        REGISTRY.configure(&header.experiment, &header.config).unwrap();
        let data = 8 + u64::from_le_bytes(*good.first_chunk().unwrap()) as usize;
        for part in [0..data, data..good.len()] {
            for n in 0..BITS {
                // The bits are spread over the part, with all positions within a byte.
                let (place, bit) = (part.start + n * (part.len() - 1) / (BITS - 1), n % 8);
                let mut bytes = good.clone();
                bytes[place] ^= 1 << bit;
                let refused = checkpoint::read(&bytes).is_err();
                assert!(refused, "{}: bit {bit} of byte {place}", path.display());
            }
        }
    }
}
