//! Reduces a program to the lines that a fault needs.

use super::Program;

/// Leaves out lines, as long as the program stays as it is in what matters: whole blocks first, then line by line.
pub fn reduce(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut program = program.clone();
    loop {
        let before = program.len();
        let mut start = program.len();
        while start > 0 {
            start -= 1;
            for end in ends(&program, start) {
                let mut candidate = program.clone();
                candidate.drain(start..end);
                if fails(&candidate) {
                    program = candidate;
                    start = start.min(program.len());
                    break;
                }
            }
        }
        if program.len() == before {
            return program;
        }
    }
}

/// Where what begins in a line may end: with its block, or with the line.
fn ends(program: &Program, start: usize) -> Vec<usize> {
    let mut depth = 0_i64;
    for (idx, line) in program.iter().enumerate().skip(start) {
        depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        if depth < 0 {
            return vec![];
        }
        if depth == 0 {
            return vec![idx + 1];
        }
    }
    vec![]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_the_fault_needs() {
        let program: Program = ["a {", "b", "}", "c {", "d", "e", "}"].map(str::to_owned).to_vec();
        let reduced = reduce(&program, |program| program.iter().any(|line| line == "e"));
        assert_eq!(reduced, ["c {", "e", "}"]);
    }
}
