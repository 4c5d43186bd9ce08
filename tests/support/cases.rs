//! The directories among the case files.

use serde_json::Value;

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) limits: kiln::Limits,
    /// The reject; step and offset where the case gives them.
    pub(crate) reject: Option<(String, Option<u64>, Option<u64>)>,
}

const FILES: [(&str, &str); 5] = [
    ("cases", include_str!("../../spec/kiln-v2-cases.json")),
    ("steps", include_str!("../../spec/kiln-v2-steps.json")),
    ("order", include_str!("../../spec/kiln-v2-order.json")),
    ("hostile", include_str!("../../spec/kiln-v2-hostile.json")),
    ("vectors", include_str!("../data/vectors.json")),
];

fn piece(text: &str, bytes: &mut Vec<u8>) {
    let (hex, times) = match text.split_once('*') {
        Some((hex, times)) => (hex, times.parse().expect("a number of repetitions")),
        None => (text, 1),
    };
    let run: Vec<u8> = hex
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(core::str::from_utf8(pair).expect("ascii"), 16).expect("hex"))
        .collect();
    for _ in 0..times {
        bytes.extend_from_slice(&run);
    }
}

fn bytes_of(case: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    match (&case["hex"], &case["file"]) {
        (Value::String(hex), Value::Null) => piece(hex, &mut bytes),
        (Value::Array(pieces), Value::Null) => {
            for text in pieces {
                piece(text.as_str().expect("a piece of hex"), &mut bytes);
            }
        }
        (Value::Null, Value::String(file)) => {
            let path = format!("{}/spec/{file}", env!("CARGO_MANIFEST_DIR"));
            bytes = std::fs::read(path).expect("a golden file");
        }
        other => panic!("a case holds hex or a file, not {other:?}"),
    }
    bytes
}

/// Every unframed directory of the case files.
pub(crate) fn directories() -> Vec<Case> {
    let mut found = Vec::new();
    for (file, text) in FILES {
        let parsed: Value = serde_json::from_str(text).expect("a case file is JSON");
        for case in parsed["cases"].as_array().expect("a list of cases") {
            if case["type"] != "tensors" || case["framed"] == true {
                continue;
            }
            let cap = |name: &str, default| case["caps"][name].as_u64().unwrap_or(default);
            let limits = kiln::Limits::DEFAULT;
            let limits = limits.with_count(cap("count", limits.count)).with_bytes(cap("bytes", limits.bytes));
            let reject = case["error"]
                .as_str()
                .map(|code| (code.to_owned(), case["step"].as_u64(), case["offset"].as_u64()));
            assert_eq!(case["accept"] == true, reject.is_none());
            let name = format!("{file}: {}", case["name"].as_str().expect("a name"));
            found.push(Case { name, bytes: bytes_of(case), limits, reject });
        }
    }
    found
}
