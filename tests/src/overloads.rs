//! Random calls of overloaded functions: both compilers must choose the same function, or refuse the call.
//!
//! A call is the operand of `sizeof`, so that its result says which function it means without a line of code: the first overload points
//! to an array of one byte, the second to one of two. Each call is a line of its own. The same seed gives the same file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::random::Random;

const PRELUDE: &str = "\
enum E { E0, E1 };
enum Fixed : unsigned { Fixed0 };
enum Small : short { Small0 };
enum Truth : bool { Truth0 };
enum Long : long long { Long0 };
enum class Scoped { A };
struct P { int x; };
struct Q { float y; int z; };
struct Bits { unsigned three : 3; int five : 5; unsigned all : 32; unsigned long long forty : 40; E e : 2; };
typedef int (*IntFn)(int);
typedef float (*FloatFn)(float);
__device__ Bits bits;
__device__ int array[4];
__device__ const int constants[4] = {1};
__device__ int *ip;
__device__ const int *cip;
__device__ volatile int *vip;
__device__ int **ipp;
__device__ const int *const *cipcp;
__device__ float *fp;
__device__ void *vp;
__device__ const void *cvp;
__device__ bool b;
__device__ char c;
__device__ signed char sc;
__device__ unsigned char uc;
__device__ short s;
__device__ unsigned short us;
__device__ int i;
__device__ unsigned u;
__device__ long l;
__device__ unsigned long ul;
__device__ long long ll;
__device__ float f;
__device__ double d;
__device__ wchar_t wc;
__device__ char16_t c16;
__device__ char32_t c32;
__device__ E e;
__device__ Fixed fixed;
__device__ Small small;
__device__ Truth truth;
__device__ Long llong;
__device__ Scoped scoped;
__device__ P p;
__device__ Q q;
__device__ float4 f4;
__device__ int2 i2;
__device__ dim3 d3;
__device__ uint3 u3;
__device__ int one(int);
__device__ int two(int);
__device__ float two(float);
__device__ double two(const char *, ...);
";

/// Precedes the prelude in some files only: it takes nvcc long to read.
const HALF_PRELUDE: &str = "\
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__device__ __half h;
__device__ __half2 h2;
__device__ __nv_bfloat16 bf;
";

const TYPES: &str = "\
bool|char|signed char|unsigned char|short|unsigned short|int|unsigned|long|unsigned long|long long|unsigned long long|\
float|double|wchar_t|char16_t|char32_t|E|Fixed|Small|Truth|Long|Scoped|P|Q|float4|int2|dim3|uint3|int *|const int *|\
volatile int *|const volatile int *|int **|const int *const *|int *const *|float *|void *|const void *|char *|\
const char *|IntFn|FloatFn|int *|const int *|int|float|double|long|\
int &|const int &|int &&|const int &&|volatile int &|unsigned &|const unsigned &|const short &|float &|\
const float &|const double &|const long &|P &|const P &|P &&|const Q &|Q &|E &|const E &|E &&|const bool &|int *&|int *const &|\
int *&&|const int *const &|void *const &|int (&)[4]|const int (&)[4]|int (&)(int)|const float4 &|float4 &|const dim3 &";

const HALF_TYPES: &str = "\
__half|__half2|__nv_bfloat16|float|int";

const ARGS: &str = "\
0|1|1u|1L|1ull|1.0f|1.0|'a'|'\\0'|true|false|nullptr|\"a\"|(int)0|E0|Scoped::A|ip|cip|vip|ipp|cipcp|fp|vp|cvp|b|c|sc|\
uc|s|us|i|u|l|ul|ll|f|d|wc|c16|c32|e|fixed|small|truth|llong|scoped|p|q|f4|i2|d3|u3|array|constants|&array[1]|*ip|one|\
&one|two|&two|bits.three|bits.five|bits.all|bits.forty|bits.e|b ? s : c|(++i)|(i = 3)|(b ? i : one(2))|(int &&)i|(const P &)p|{}|{1}|{true}|{1, 2}|{f, 1}|{p}|{0}|\
{nullptr}|-s|i + f";

const HALF_ARGS: &str = "\
h|h2|bf|{h}|h + h";

/// A file with `n_calls` calls, but for those in the lines that are left out.
pub fn source(seed: u64, n_calls: usize, left_out: &BTreeSet<usize>) -> String {
    let mut random = Random::new(seed);
    let has_half = seed.is_multiple_of(4);
    let mut text = format!("{}{PRELUDE}", if has_half { HALF_PRELUDE } else { "" });
    for idx in 0..n_calls {
        let n_params = *random.of(&[1, 1, 1, 2, 2, 3]);
        let mut lists = BTreeSet::new();
        for _ in 0..2 + random.below(4) {
            let mut list: Vec<&str> = (0..n_params).map(|_| param(&mut random, has_half)).collect();
            if random.once_in(8) {
                list.pop();
            }
            lists.insert(list);
        }
        for (n_bytes, list) in lists.iter().enumerate() {
            let mut written = list.join(", ");
            if random.once_in(6)
                && list
                    .last()
                    .is_some_and(|last| !matches!(*last, "P" | "Q" | "Scoped") && !last.contains('&'))
            {
                written.push_str(" = {}");
            } else if random.once_in(8) {
                written.push_str(if list.is_empty() { "..." } else { ", ..." });
            }
            let _ = writeln!(text, "__device__ char (*call_{idx}({written}))[{}];", n_bytes + 1);
        }
        let args: Vec<&str> = (0..n_params).map(|_| arg(&mut random, has_half)).collect();
        let line = text.lines().count() + 1;
        if left_out.contains(&line) {
            text.push('\n');
        } else {
            let _ = writeln!(text, "__device__ int chosen_{idx} = sizeof(*call_{idx}({}));", args.join(", "));
        }
    }
    text
}

fn param(random: &mut Random, has_half: bool) -> &'static str {
    let list = if has_half && random.once_in(3) { HALF_TYPES } else { TYPES };
    of(random, list)
}

fn arg(random: &mut Random, has_half: bool) -> &'static str {
    let list = if has_half && random.once_in(3) { HALF_ARGS } else { ARGS };
    of(random, list)
}

/// A random element of a list.
fn of(random: &mut Random, list: &'static str) -> &'static str {
    let elems: Vec<&str> = list.split('|').collect();
    elems[random.below(elems.len())]
}

/// Whether `weftc` may refuse a call that nvcc takes: one with a class's conversions, of which nvcc takes more than C++ allows (a call
/// of two functions that fit equally well, if only one needs such a conversion), with a braced list, or with references among several
/// parameters: like g++, nvcc lets another parameter decide where one refers to what is less qualified.
pub fn may_refuse(text: &str, line: usize) -> bool {
    let idx = text.lines().nth(line - 1).and_then(|line| line.split_once("call_")?.1.split_once('('));
    let name = idx.map_or_else(String::new, |(idx, _)| format!("call_{idx}("));
    let has_class = |line: &str| {
        ["dim3", "half", "bfloat", "h2", "(h", "(bf", "({", ", {"].iter().any(|word| line.contains(word))
    };
    let has_references = |line: &str| line.contains('&') && line.contains(", ");
    text.lines().filter(|line| line.contains(&name)).any(|line| has_class(line) || has_references(line))
}

/// Which overloads the calls mean, by the PTX: values of the variables, by name.
pub fn chosen(ptx: &str) -> BTreeMap<String, String> {
    let choice = |line: &str| {
        let (head, value) = line.strip_suffix(';')?.split_once(" = ")?;
        let name = head.split_whitespace().last()?;
        name.starts_with("chosen_").then(|| (name.to_owned(), value.to_owned()))
    };
    ptx.lines().filter_map(choice).collect()
}

/// The lines with errors: nvcc's `file(line): error`, and `file:line:column: error` of g++ and of `weftc` with short messages.
pub fn refused(messages: &str) -> BTreeSet<usize> {
    let line = |message: &str| {
        let (place, _) = message.split_once(": error").or_else(|| message.split_once(": fatal error"))?;
        let number = match place.strip_suffix(')') {
            Some(place) => place.rsplit_once('(')?.1,
            None => place.rsplit(':').nth(1)?,
        };
        number.parse().ok()
    };
    messages.lines().filter_map(line).collect()
}
