//! Checkpoint files: round trip, and rejection of invalid files.

use proptest::prelude::*;
use serde_json::json;
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{
    FORMAT_VERSION, Header, Tensor, TensorData, add_note, flat, read, read_header, read_note, write,
};

fn header() -> Header {
    Header {
        experiment: "cartpole".into(),
        config: json!({"world": {"gravity": 9.8}}),
        seed: u64::MAX,
        steps: 12_345,
        more: json!({"table": [1, 2]}),
    }
}

fn tensors() -> Vec<Tensor> {
    vec![
        Tensor {
            name: "weight".into(),
            shape: vec![2, 3],
            values: TensorData::F32(vec![1.0, -2.5, 0.0, 3e-40, 1e38, 7.0]),
        },
        flat("sums", TensorData::F64(vec![0.1, 1e300])),
        flat("counters", TensorData::U64(vec![u64::MAX])),
        flat("flags", TensorData::U32(vec![1, 0, 1])),
        flat("nothing", TensorData::F32(vec![])),
    ]
}

fn why(bytes: &[u8]) -> String {
    match read(bytes) {
        Err(LabError::Checkpoint { message }) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn written_values_round_trip() {
    let bytes = write(&header(), &tensors());
    assert_eq!(bytes, write(&header(), &tensors()), "equal states give equal bytes");
    let (read_header, mut found) = read(&bytes).unwrap();
    assert_eq!(read_header, header());
    assert_eq!(found.take_like(&tensors()).unwrap(), tensors());
    found.finish().unwrap();
}

#[test]
fn a_note_does_not_change_the_rest_of_the_file() {
    let plain = write(&header(), &tensors());
    let mut noted = plain.clone();
    let note = |bytes: &[u8], name: &str| read_note(&mut &bytes[..], name).unwrap();
    assert_eq!(note(&plain, "evaluation"), None);
    for text in ["243", "500 \"é\""] {
        add_note(&mut noted, "evaluation", text);
        assert_eq!(note(&noted, "evaluation").as_deref(), Some(text));
    }
    assert_eq!(note(&noted, "other"), None);
    let (read_header, mut found) = read(&noted).unwrap();
    assert_eq!(read_header, header());
    assert_eq!(found.take_like(&tensors()).unwrap(), tensors());
    found.finish().unwrap();
    // The data remains aligned for `f64`.
    let header_length = u64::from_le_bytes(*noted.first_chunk().unwrap());
    assert!(header_length.is_multiple_of(8), "{header_length}");
    for other in [&b""[..], b"1000", &plain[..plain.len().min(30)], &[0xff; 64]] {
        let mut bytes = other.to_vec();
        add_note(&mut bytes, "evaluation", "1");
        assert_eq!(bytes, other);
        assert_eq!(note(&bytes, "evaluation"), None);
    }
}

#[test]
fn invalid_files_are_rejected_with_a_reason() {
    let good = write(&header(), &tensors());
    assert!(why(&[]).contains("it is empty"));
    assert!(why(&good[..7]).contains("truncated"));
    assert!(why(&good[..good.len() - 1]).contains("truncated"));
    assert!(why(b"GIF89a, which is something else entirely").contains("not a safetensors file"));

    let mut huge = good.clone();
    huge[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(why(&huge).contains("not a safetensors file"));

    let later = why(&without_checksums(FORMAT_VERSION + 1));
    assert!(later.contains("has format version 3; this program reads versions 1 to 2"), "{later}");

    let foreign =
        safetensors::serialize(Vec::<(String, safetensors::tensor::TensorView)>::new(), None).unwrap();
    assert!(why(&foreign).contains("not one of Vivarium's"));

    for bad in [f32::NAN, f32::INFINITY] {
        let reason = why(&write(&header(), &[flat("policy.weight", TensorData::F32(vec![1.0, bad]))]));
        assert!(reason.contains("policy.weight holds") && reason.contains("finite"), "{reason}");
    }
}

#[test]
fn tensors_are_read_with_validation() {
    let bytes = write(&header(), &tensors());
    let found = || read(&bytes).unwrap().1;
    let reason = |model: Tensor| found().take_like(&[model]).unwrap_err().to_string();
    assert!(reason(flat("bias", TensorData::F32(vec![]))).contains("bias is missing"));
    let transposed = Tensor { shape: vec![3, 2], ..tensors()[0].clone() };
    assert!(reason(transposed).contains("[2, 3]; its config needs F32 [3, 2]"));
    let wider = flat("counters", TensorData::U32(vec![0]));
    assert!(reason(wider).contains("U64"));
    assert_eq!(found().take_f64("sums").unwrap(), [0.1, 1e300]);
    assert!(found().take_f64("counters").unwrap_err().to_string().contains("U64"));
    assert!(found().finish().unwrap_err().to_string().contains("unexpected tensor counters"));
}

#[test]
fn every_flipped_bit_is_found() {
    let plain = write(&header(), &tensors());
    let mut noted = plain.clone();
    add_note(&mut noted, "evaluation", "500");
    for good in [plain, noted] {
        read(&good).unwrap();
        for place in 0..good.len() {
            for bit in 0..8 {
                let mut bytes = good.clone();
                bytes[place] ^= 1 << bit;
                assert!(read(&bytes).is_err(), "bit {bit} of byte {place}: {:?}", good[place] as char);
            }
        }
    }
}

#[test]
fn the_header_alone_is_checked_as_well() {
    let good = write(&header(), &tensors());
    let text = String::from_utf8_lossy(&good);
    let place = text.find("12345").unwrap();
    let mut bytes = good.clone();
    bytes[place] = b'2';
    let error = read_header(&bytes).unwrap_err().to_string();
    assert!(error.contains("damaged") && error.contains("checksum"), "{error}");
    // A changed weight does not affect the header.
    let mut bytes = good.clone();
    *bytes.last_mut().unwrap() ^= 1;
    read_header(&bytes).unwrap();
    assert!(why(&bytes).contains("checksum of its tensors"));
}

/// Serializes a checkpoint of a format version without checksums.
fn without_checksums(version: u32) -> Vec<u8> {
    let entry =
        json!({"format_version": version, "experiment": "cartpole", "config": {}, "seed": 1, "steps": 2});
    let metadata = [("vivarium".to_owned(), entry.to_string())].into_iter().collect();
    let none = Vec::<(String, safetensors::tensor::TensorView)>::new();
    safetensors::serialize(none, Some(metadata)).unwrap()
}

/// Format version 1 has no checksums; a file that claims a newer version without checksums is rejected.
#[test]
fn a_file_of_the_version_without_checksums_is_read() {
    let (header, _) = read(&without_checksums(1)).unwrap();
    assert_eq!(header.steps, 2);
    assert!(why(&without_checksums(FORMAT_VERSION)).contains("no checksum"));
    // A file that is written from such a header has checksums.
    let mut written = write(&header, &tensors());
    *written.last_mut().unwrap() ^= 1;
    assert!(why(&written).contains("checksum of its tensors"));
}

proptest! {
    #[test]
    fn random_bytes_are_rejected(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read(&bytes).is_err());
        prop_assert!(read_header(&bytes).is_err());
    }

    #[test]
    fn random_headers_are_rejected(text in ".{0,200}", data in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.as_bytes());
        bytes.extend(data);
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn truncated_files_are_rejected(length in any::<prop::sample::Index>()) {
        let bytes = write(&header(), &tensors());
        prop_assert!(read(&bytes[..length.index(bytes.len())]).is_err());
    }
}
