//! The events that a tracer receives.

use std::sync::{Arc, Mutex};

use super::kernel;
use crate::exec::device::{Device, Launch};
use crate::exec::trace::{Event, Tracer};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// Records the instructions of source lines from 1 on in block 1.
struct Notes(Arc<Mutex<Vec<String>>>);

impl Tracer for Notes {
    fn wants(&mut self, block: [u32; 3], _: u32) -> bool {
        block == [1, 0, 0]
    }

    fn executed(&mut self, event: &Event<'_>) {
        let Some((file, line)) = event.source else { return };
        let lanes = |values: &[u64; 32]| [0, 1, 31].map(|lane| values[lane]);
        let written: Vec<[u64; 3]> = event.written.iter().map(lanes).collect();
        let address = event.addresses.as_ref().map(|addresses| addresses[1] - addresses[0]);
        let note = format!(
            "{file}:{line} warp {} {:x} {:x} {} {written:?} {address:?} {}",
            event.warp, event.active, event.executed, event.kind, event.is_fault
        );
        self.0.lock().expect("notes").push(note);
    }
}

#[test]
fn traces_each_instruction_with_its_results() {
    let text = kernel(
        ".loc 1 1 0\nadd.u32 %r4, %r1, 100;\n.loc 1 2 0\nsetp.lt.u32 %p1, %r1, 33;\n\
         .loc 1 3 0\n@%p1 st.global.u32 [%rd1], %r4;\n.loc 1 4 0\nld.global.u32 %r5, [%rd1+128];",
    );
    let module = parse(&text).expect("PTX");
    let program = link(&[Input { name: "test", text: &text, module: &module }]).expect("a program");
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let buffer = device.global.allocate(256, 1).expect("there is room");
    let notes = Arc::default();
    device.trace(Box::new(Notes(Arc::clone(&notes))));
    let args = [buffer.to_le_bytes().to_vec(), vec![0; 4]];
    device.launch("k", &Launch::new([2, 1, 1], [32, 1, 1]), &args).expect_err("block 1 loads too far");
    let expected = [
        "kernel.cu:1 warp 0 ffffffff ffffffff integer [[132, 133, 163]] None false",
        "kernel.cu:2 warp 0 ffffffff ffffffff comparison [[1, 0, 0]] None false",
        "kernel.cu:3 warp 0 ffffffff 1 store global [[132, 133, 163]] Some(4) false",
        "kernel.cu:4 warp 0 ffffffff ffffffff load global [] Some(4) true",
    ];
    assert_eq!(*notes.lock().expect("notes"), expected);
}
