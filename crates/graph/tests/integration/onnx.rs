//! Test of the ONNX export: a small parser of the Protocol Buffers wire format reads the exported file.

use vivarium_graph::onnx::{OnnxError, export};
use vivarium_graph::{Graph, Parameters};

/// Parses a Protocol Buffers message. Returns for each field its number, its bytes and its integer.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Vec<u8>, u64)> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = bytes[0];
            *bytes = &bytes[1..];
            value |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return value;
            }
        }
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let (number, len) = match key & 7 {
            0 => (varint(&mut bytes), 0),
            5 => (0, 4),
            2 => (0, varint(&mut bytes) as usize),
            other => panic!("wire type {other}"),
        };
        found.push((key >> 3, bytes[..len].to_vec(), number));
        bytes = &bytes[len..];
    }
    found
}

fn all(message: &[u8], field: u64) -> Vec<Vec<u8>> {
    fields(message).into_iter().filter(|&(number, ..)| number == field).map(|(_, bytes, _)| bytes).collect()
}

fn texts(message: &[u8], field: u64) -> Vec<String> {
    all(message, field).into_iter().map(|bytes| String::from_utf8(bytes).unwrap()).collect()
}

#[test]
fn export_writes_network_and_weights() {
    let mut g = Graph::new();
    let x = g.input("x", &[3]);
    let unused = g.input("y", &[2]);
    let h = g.linear("stem", x, 4);
    let h = g.layer_norm("norm", h);
    let h = g.relu(h);
    let h = g.linear_without_bias("out", h, 2, vivarium_graph::Initializer::KaimingUniform);
    let probabilities = g.sigmoid(h);
    let _ = g.linear("unused", unused, 2);
    let parameters = Parameters::new(&g, 4).unwrap();
    let model = export(&g, &parameters, &[("logits", h), ("chances", probabilities)]).unwrap();

    let [graph] = &all(&model, 7)[..] else { panic!("one graph") };
    let nodes = all(graph, 1);
    let kinds: Vec<_> = nodes.iter().map(|node| texts(node, 4).remove(0)).collect();
    assert_eq!(
        kinds,
        ["Gemm", "LayerNormalization", "Relu", "Gemm", "Sigmoid", "Identity", "Identity"].map(String::from)
    );
    // Each node reads results of earlier nodes, parameters or inputs.
    let weights = all(graph, 5);
    let mut known: Vec<String> = weights.iter().flat_map(|weight| texts(weight, 8)).collect();
    assert_eq!(known, ["stem.weight", "stem.bias", "norm.weight", "norm.bias", "out.weight"]);
    known.extend(all(graph, 11).iter().flat_map(|input| texts(input, 1)));
    assert_eq!(known.last().map(String::as_str), Some("x"));
    for node in &nodes {
        assert!(texts(node, 1).iter().all(|read| known.contains(read)), "{:?} of {known:?}", texts(node, 1));
        known.extend(texts(node, 2));
    }
    let names: Vec<_> = all(graph, 12).iter().flat_map(|output| texts(output, 1)).collect();
    assert_eq!(names, ["logits", "chances"]);
    // Values and shape are those of the parameter.
    let dims: Vec<u64> =
        fields(&weights[0]).into_iter().filter(|&(number, ..)| number == 1).map(|(.., dim)| dim).collect();
    assert_eq!(dims, [3, 4]);
    let numbers: Vec<f32> =
        all(&weights[0], 9)[0].chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(numbers, parameters.get("stem.weight").unwrap());
}

#[test]
fn unsupported_operations_are_reported() {
    let mut g = Graph::new();
    let x = g.input("x", &[3]);
    let index = g.input("index", &[1]);
    let picked = g.gather(x, index);
    let lines = g.input("lines", &[2, 3]);
    let relu = g.relu(lines);
    let parameters = Parameters::new(&g, 1).unwrap();
    let refused = |value| export(&g, &parameters, &[("out", value)]).unwrap_err();
    assert_eq!(refused(picked), OnnxError::Operation { operation: "gather" });
    assert_eq!(refused(relu), OnnxError::SeveralLines { operation: "input" });
}
