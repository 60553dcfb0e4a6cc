#![allow(missing_docs)]
#[test]
fn dump() {
    for seed in 1..=4 {
        std::fs::write(format!("/tmp/tt/sig{seed}.src"), weft_tests::signature::source(seed, 150)).unwrap();
    }
    for seed in 1..=4 {
        if let Ok(t) = std::fs::read_to_string(format!("/tmp/tt/sig{seed}.ptx")) {
            let p = weft_tests::ptx_prototype::parse(&t).unwrap();
            println!(
                "{} prototypes, {} through",
                p.len(),
                p.iter().map(|p| p.calls_through.len()).sum::<usize>()
            );
        }
    }
}
