//! What the matcher takes, and above all what it refuses.

use super::{Prefixes, check};

fn plain(test: &str, output: &str) -> Result<(), String> {
    check(test, &Prefixes::plain(), output)
}

fn holds(test: &str, output: &str) {
    plain(test, output).expect("the checks hold");
}

/// The check fails, and the message says `why`.
fn fails(test: &str, output: &str, why: &str) {
    let message = plain(test, output).expect_err("a check must fail");
    assert!(message.contains(why), "{message}\nlacks `{why}`");
}

#[test]
fn plain_checks_keep_their_order() {
    holds("// CHECK: a\n// CHECK: b", "x a\ny b\n");
    holds("// CHECK: a\n// CHECK: b", "a b\n");
    fails("// CHECK: a\n// CHECK: b", "b\na\n", "not found");
    fails("// CHECK: a\n// CHECK: a", "a\n", "line 2 of the test: not found");
}

#[test]
fn blanks_are_one_blank() {
    holds("// CHECK: add.s32   %r1, %r2", "\tadd.s32 \t%r1,\t%r2\n");
    fails("// CHECK: add.s32 %r1", "add.s32%r1", "not found");
    fails("// CHECK: a b", "a\nb", "not found");
}

#[test]
fn literal_text_is_no_regex() {
    holds("// CHECK: [a+b].c(", "[a+b].c(");
    fails("// CHECK: a.c", "abc", "not found");
}

#[test]
fn next_is_the_next_line() {
    holds("// CHECK: a\n// CHECK-NEXT: b", "a\nb\n");
    fails("// CHECK: a\n// CHECK-NEXT: b", "a\nc\nb\n", "not on the next line: on line 3");
    fails("// CHECK: a\n// CHECK-NEXT: b", "a b\n", "not on the next line: on line 1");
    // As in LLVM: the first match decides, not the first that would fit.
    fails("// CHECK: a\n// CHECK-NEXT: b", "a b\nb\n", "not on the next line");
}

#[test]
fn same_is_the_same_line() {
    holds("// CHECK: a\n// CHECK-SAME: b", "a x b\n");
    fails("// CHECK: a\n// CHECK-SAME: b", "a\nb\n", "not on the same line");
}

#[test]
fn empty_is_an_empty_line() {
    holds("// CHECK: a\n// CHECK-EMPTY:\n// CHECK-NEXT: b", "a\n\nb\n");
    fails("// CHECK: a\n// CHECK-EMPTY:", "a\nb\n\n", "not on the next line");
}

#[test]
fn not_lies_between_its_neighbours() {
    holds("// CHECK: a\n// CHECK-NOT: x\n// CHECK: b", "x\na\nb\nx\n");
    fails("// CHECK: a\n// CHECK-NOT: x\n// CHECK: b", "a\nx\nb\n", "excluded, but found");
    fails("// CHECK: a\n// CHECK-NOT: x", "a\nb\nx\n", "excluded, but found");
    fails("// CHECK-NOT: x\n// CHECK: a", "x\na\n", "excluded, but found");
    fails("// CHECK-NOT: x", "x\n", "excluded, but found");
    fails("// CHECK: a\n// CHECK-NOT: x\n// CHECK-NEXT: b", "a x\nb\n", "excluded, but found");
}

#[test]
fn dag_has_no_order_and_no_overlap() {
    holds("// CHECK-DAG: a\n// CHECK-DAG: b\n// CHECK: c", "b\na\nc\n");
    holds("// CHECK-DAG: r[[A:\\d]]\n// CHECK-DAG: s[[B:\\d]]\n// CHECK: [[A]][[B]]", "s2\nr1\n12\n");
    fails("// CHECK-DAG: a\n// CHECK-DAG: a\n// CHECK: c", "a\nc\n", "not found");
    fails("// CHECK-DAG: a\n// CHECK-DAG: b\n// CHECK: c", "b\nc\na\n", "not found");
    fails("// CHECK-DAG: a\n// CHECK-NOT: x\n// CHECK-DAG: b", "a\nx\nb\n", "excluded, but found");
}

#[test]
fn label_bounds_the_search() {
    let test = "// CHECK-LABEL: f:\n// CHECK: add\n// CHECK-LABEL: g:\n// CHECK: mul";
    holds(test, "f:\nadd\ng:\nmul\n");
    fails(test, "f:\nsub\ng:\nadd\nmul\n", "line 2 of the test: not found");
    fails(test, "f:\nadd\nmul\n", "line 3 of the test: no such label");
    fails("// CHECK-LABEL: f:\n// CHECK-NOT: x\n// CHECK-LABEL: g:", "f:\nx\ng:\n", "excluded, but found");
    fails("// CHECK-LABEL: [[N:.]]:\n// CHECK: a", "f:\na\n", "before any variable");
}

#[test]
fn count_is_at_least_that_many() {
    holds("// CHECK-COUNT-3: ld\n// CHECK: st", "ld ld\nld\nst\n");
    fails("// CHECK-COUNT-3: ld\n// CHECK: st", "ld ld\nst\n", "found 2 times of 3");
    holds("// CHECK-COUNT-2: ld\n// CHECK-NOT: ld", "ld\nld\n");
    fails("// CHECK-COUNT-2: ld\n// CHECK-NOT: ld", "ld\nld\nld\n", "excluded, but found");
}

#[test]
fn regexes_stand_in_braces() {
    holds("// CHECK: %r{{[0-9]+}}, {{(x|y)}};", "%r17, y;");
    holds("// CHECK: a{{b{2}}}c", "abbc");
    holds("// CHECK: {{^}}a{{$}}", "x a\na\n");
    fails("// CHECK: {{^}}a{{$}}", "x a\na b\n", "not found");
    fails("// CHECK: a{{.*}}b", "a\nb\n", "not found");
    fails("// CHECK: {{(}}", "(", "unclosed group");
    fails("// CHECK: {{a", "a", "`{{` without `}}`");
}

#[test]
fn variables_hold_what_they_matched() {
    holds("// CHECK: ld [[R:%r[0-9]+]]\n// CHECK: st [[R]];", "ld %r12\nst %r12;\n");
    fails("// CHECK: ld [[R:%r[0-9]+]]\n// CHECK: st [[R]];", "ld %r12\nst %r1;\n", "R = `%r12`");
    holds("// CHECK: [[R:%(r|f)[0-9]+]] = [[R]] + 1", "%r1 = %r2 + 1\n%r3 = %r3 + 1\n");
    fails("// CHECK: [[R:%r[0-9]+]] = [[R]];", "%r1 = %r2;\n", "not found");
    holds("// CHECK: ld [[[P:%rd[0-9]+]]+4];\n// CHECK: st [[[P]]];", "ld [%rd1+4];\nst [%rd1];\n");
    fails("// CHECK: [[R]]", "R", "no value for R");
    fails("// CHECK: [[#N:]]", "1", "no name of a variable");
}

#[test]
fn a_later_definition_takes_over() {
    holds("// CHECK: a[[N:\\d]]\n// CHECK: a[[N:\\d]]\n// CHECK: b[[N]]", "a1\na2\nb2\n");
    fails("// CHECK: a[[N:\\d]]\n// CHECK: a[[N:\\d]]\n// CHECK: b[[N]]", "a1\na2\nb1\n", "not found");
}

#[test]
fn what_is_nearly_a_check_is_an_error() {
    fails("int x;", "x", "no line bears a check");
    fails("// CHECK-NETX: a", "a", "no check has the suffix `-NETX`");
    fails("// CHECK-COUNT-0: a", "a", "no check has the suffix");
    fails("// CHECK:", "a", "has no pattern");
    fails("int x; // CHECK: a", "a", "stands alone");
    fails("// CHECK: a\n// CHEKC-NEXT: b", "a\nb", "no revision has the prefix `CHEKC`");
    fails("// CHECK-NEXT: a", "a", "none before it");
}

#[test]
fn prefixes_divide_the_checks() {
    let test = "// CHECK: a\n// O0-NEXT: b\n// O3-NEXT: c";
    let prefixes = |own: &str, other: &str| Prefixes {
        active: vec!["CHECK".into(), own.into()],
        others: vec![other.into()],
    };
    check(test, &prefixes("O0", "O3"), "a\nb\n").expect("O0 holds");
    check(test, &prefixes("O3", "O0"), "a\nc\n").expect("O3 holds");
    check(test, &prefixes("O3", "O0"), "a\nb\n").expect_err("O3 asks for c");
}
