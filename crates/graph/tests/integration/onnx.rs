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
    let outputs = [("logits", h), ("probabilities", probabilities)];
    let model = export(&g, &parameters, &outputs, &[("experiment", "test")]).unwrap();

    let [graph] = &all(&model, 7)[..] else { panic!("one graph") };
    let nodes = all(graph, 1);
    let kinds: Vec<_> = nodes.iter().map(|node| texts(node, 4).remove(0)).collect();
    assert_eq!(
        kinds,
        ["Gemm", "LayerNormalization", "Relu", "Gemm", "Sigmoid", "Identity", "Identity"].map(String::from)
    );
    // Each node reads only inputs, parameters and results of earlier nodes.
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
    assert_eq!(names, ["logits", "probabilities"]);
    let [property] = &all(&model, 14)[..] else { panic!("one property") };
    assert_eq!((texts(property, 1), texts(property, 2)), (vec!["experiment".into()], vec!["test".into()]));
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
    let matrices = g.input("matrices", &[2, 2, 3]);
    let relu = g.relu(matrices);
    let computed = g.square(index);
    let embedded = g.embedding("table", computed, 4, 2, vivarium_graph::Initializer::Normal(1.0));
    let code = g.input("code", &[1]);
    let word = g.embedding("words", code, 4, 2, vivarium_graph::Initializer::Normal(1.0));
    let mixed = g.mul(word, code);
    let parameters = Parameters::new(&g, 1).unwrap();
    let refused = |value| export(&g, &parameters, &[("out", value)], &[]).unwrap_err();
    assert_eq!(refused(picked), OnnxError::Operation { operation: "gather" });
    assert_eq!(refused(mixed), OnnxError::Operation { operation: "mul" });
    assert_eq!(refused(embedded), OnnxError::Operation { operation: "embedding" });
    assert_eq!(refused(relu), OnnxError::Shape { operation: "input", dims: vec![2, 2, 3] });
}

#[test]
fn a_sequence_has_two_dynamic_dimensions_and_integer_tokens() {
    let mut g = Graph::new();
    let normal = vivarium_graph::Initializer::Normal(1.0);
    let tokens = g.input("tokens", &[8, 1]);
    let words = g.embedding("wte", tokens, 5, 6, normal);
    let positions = g.parameter_shaped("wpe", &[8, 6], normal);
    let x = g.add(words, positions);
    let qkv = g.linear("qkv", x, 18);
    let attended = g.attention(qkv, 2);
    let parameters = Parameters::new(&g, 4).unwrap();
    let model = export(&g, &parameters, &[("out", attended)], &[]).unwrap();

    let graph = &all(&model, 7)[0];
    // Type and dimensions of a `ValueInfoProto`: names of dynamic dimensions, sizes of the others.
    let signature = |field: u64| {
        let tensor = all(&all(&all(graph, field)[0], 2)[0], 1).remove(0);
        let kind = fields(&tensor).into_iter().find(|&(number, ..)| number == 1).unwrap().2;
        let dims = all(&all(&tensor, 2)[0], 1).into_iter().map(|dim| match texts(&dim, 2).pop() {
            Some(name) => name,
            None => fields(&dim)[0].2.to_string(),
        });
        (kind, dims.collect::<Vec<_>>())
    };
    assert_eq!(signature(11), (7, ["batch", "time"].map(String::from).to_vec()));
    assert_eq!(signature(12), (1, ["batch", "time", "6"].map(String::from).to_vec()));
}
