//! Debug information as weftc and nvcc write it.
//!
//! Both files were made from this source, by `weftc -G` and by `nvcc -G -arch=sm_90`, 13.3:
//!
//! ```c
//! struct point { int x; short y[2]; unsigned int b : 3; };
//! typedef const int number;
//! extern "C" __global__ void k(int *o)
//! {
//!     int l[2][4];
//!     struct point p[3];
//!     number t = threadIdx.x;
//!     l[1][2] = t;
//!     p[2].y[1] = t;
//!     *o = l[t][t] + p[t].x;
//! }
//! ```

use super::{Local, locals};
use crate::memory::layout::Layout;

const WEFTC: &str = include_str!("tests/weftc.ptx");
const NVCC: &str = include_str!("tests/nvcc.ptx");

fn array(element: Layout, len: u64) -> Layout {
    Layout::Array(Box::new(element), len)
}

fn in_depot(text: &str) -> Option<Vec<Local>> {
    let module = crate::ptx::parse(text).expect("it is PTX");
    locals(&module).remove("__local_depot0")
}

#[test]
fn variables_in_the_depot_of_a_function() {
    let int = || Layout::Number(4);
    let point = vec![("x".to_owned(), 0, int()), ("y".to_owned(), 4, array(Layout::Number(2), 2))];
    let local = |name: &str, offset, layout| Local { name: name.to_owned(), offset, layout };
    let arrays =
        [local("l", 0, array(array(int(), 4), 2)), local("p", 32, array(Layout::Struct(12, point), 3))];
    assert_eq!(in_depot(NVCC).expect("they are described"), arrays);
    let [l, p] = arrays;
    assert_eq!(in_depot(WEFTC).expect("they are described"), [l, p, local("t", 68, int())]);
}

#[test]
fn what_may_be_optimized_is_not_read() {
    assert_eq!(in_depot(&WEFTC.replace(", debug", "")), None);
    // `weftc …` becomes `xeftc …`.
    assert_eq!(in_depot(&WEFTC.replace("119,101,102,116,99,32,48", "120,101,102,116,99,32,48")), None);
}

#[test]
fn variables_that_share_memory_are_left_out() {
    assert_eq!(in_depot(&WEFTC.replace("35,68,116,0", "35,28,116,0")), None);
}

#[test]
fn damaged_sections_are_as_good_as_none() {
    let (start, end) = (WEFTC.find(".debug_abbrev").expect("it is there"), WEFTC.len());
    for at in (start..end).filter(|&at| WEFTC.as_bytes()[at].is_ascii_digit()) {
        let damaged = format!("{}9{}", &WEFTC[..at], &WEFTC[at + 1..]);
        if let Ok(module) = crate::ptx::parse(&damaged) {
            locals(&module);
        }
    }
}
