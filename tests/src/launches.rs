//! `//@ launch: …` and the lines after it: the launches of a test's kernels, and the expected results.
//!
//! ```text
//! //@ launch: KERNEL grid=X[,Y[,Z]] block=X[,Y[,Z]] [shared=BYTES] [cooperative]
//! //@ arg: SPEC                       an argument, by the grammar of `weft_run::argument`; one line each
//! //@ set: VARIABLE=SPEC              the value of a global variable before the launch; one line each
//! //@ read: VARIABLE                  a global variable that is a result; one line each
//! //@ expect: BUFFER=SPEC             the expected content of a buffer, given by name or argument index
//! //@ printed: TEXT                   a line of the expected output; one line each
//! //@ tolerance: N ulps               or `N relative`, `N absolute`: for the numbers in all buffers except integers
//! ```
//!
//! A file may have several launches, each with separate memory.

use weft_run::argument::{Expected, Spec};
use weft_run::{Launch, Tolerance};

use crate::Failure;
use crate::directive::Directives;

/// One launch of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchSpec {
    /// The line of its directive.
    pub line: usize,
    /// The source name of the kernel.
    pub kernel: String,
    /// The number of blocks along each axis.
    pub grid: [u32; 3],
    /// The number of threads per block along each axis.
    pub block: [u32; 3],
    /// The dynamic shared memory per block, in bytes.
    pub shared: u64,
    /// Whether the launch is cooperative.
    pub is_cooperative: bool,
    /// The texts of the arguments.
    pub args: Vec<String>,
    /// The texts of textures and surfaces to bind to variables.
    pub bindings: Vec<String>,
    /// The texts of values for variables.
    pub settings: Vec<String>,
    /// The variables that are results.
    pub reads: Vec<String>,
    /// The expected contents of buffers.
    pub expected: Vec<(String, Expected)>,
    /// The expected output.
    pub printed: Option<String>,
    /// The tolerance; by default numbers must be equal bit for bit.
    pub tolerance: Option<Tolerance>,
}

impl LaunchSpec {
    /// The launch of a program linked from modules.
    pub fn of(&self, modules: &[(&str, &str)]) -> Launch {
        let start = Launch::new().kernel(&self.kernel);
        let launch = modules.iter().fold(start, |launch, (name, ptx)| launch.module(*name, *ptx));
        let launch = launch.grid(self.grid).block(self.block).shared(self.shared);
        let launch = if self.is_cooperative { launch.cooperative() } else { launch };
        let launch = self.args.iter().fold(launch, Launch::arg_text);
        let launch = self.bindings.iter().fold(launch, Launch::bind_text);
        let launch = self.settings.iter().fold(launch, Launch::set_text);
        self.reads.iter().fold(launch, Launch::read_variable)
    }
}

/// Whether a directive is about running kernels.
pub fn is_of_runs(key: &str) -> bool {
    matches!(key, "launch" | "arg" | "bind" | "set" | "read" | "expect" | "printed" | "tolerance")
}

/// Parses the directives of a test that runs kernels.
///
/// # Errors
///
/// The first invalid line; a file without a launch.
pub fn parse(text: &str) -> Result<(Directives, Vec<LaunchSpec>), Failure> {
    let mut launches: Vec<LaunchSpec> = Vec::new();
    let directives = Directives::parse_with(text, &mut |line, key, value| {
        if key == "launch" {
            launches.push(launch(line, value)?);
            return Ok(true);
        }
        if !is_of_runs(key) {
            return Ok(false);
        }
        let launch = launches.last_mut().ok_or_else(|| format!("`{key}` must follow a `launch`"))?;
        match key {
            "arg" => {
                Spec::parse(value).map_err(|e| e.to_string())?;
                launch.args.push(value.to_owned());
            }
            "bind" => {
                Spec::parse(value).map_err(|e| e.to_string())?;
                launch.bindings.push(value.to_owned());
            }
            "set" if !value.contains('=') => return Err("a value is `VARIABLE=SPEC`".into()),
            "set" => launch.settings.push(value.to_owned()),
            "read" => launch.reads.push(value.to_owned()),
            "expect" => launch.expected.push(expected(value)?),
            "printed" => {
                let printed = launch.printed.get_or_insert_default();
                printed.push_str(value);
                printed.push('\n');
            }
            _ if launch.tolerance.is_some() => return Err("the directive stands twice".into()),
            _ => launch.tolerance = Some(tolerance(value)?),
        }
        Ok(true)
    })?;
    if launches.is_empty() {
        return Err("there is no `//@ launch: KERNEL grid=1 block=1`, so that nothing would run".into());
    }
    Ok((directives, launches))
}

fn launch(line: usize, value: &str) -> Result<LaunchSpec, Failure> {
    let mut words = value.split_whitespace();
    let kernel = words.next().unwrap_or_default().to_owned();
    let (mut grid, mut block, mut shared, mut cooperative) = (None, None, None, None);
    for word in words {
        if word == "cooperative" && cooperative.replace(()).is_none() {
            continue;
        }
        let (key, number) = word.split_once('=').ok_or_else(|| format!("`{word}` is no `key=value`"))?;
        let is_first = match key {
            "grid" => grid.replace(extent(number)?).is_none(),
            "block" => block.replace(extent(number)?).is_none(),
            "shared" => {
                let n_bytes = number.parse().map_err(|_| format!("`{number}` is not a number of bytes"))?;
                shared.replace(n_bytes).is_none()
            }
            _ => return Err(format!("a launch has grid, block and shared, and no `{key}`")),
        };
        if !is_first {
            return Err(format!("`{key}` stands twice"));
        }
    }
    let (grid, block) = grid.zip(block).ok_or("a launch is `KERNEL grid=… block=…`")?;
    Ok(LaunchSpec {
        line,
        kernel,
        grid,
        block,
        shared: shared.unwrap_or(0),
        is_cooperative: cooperative.is_some(),
        args: Vec::new(),
        bindings: Vec::new(),
        settings: Vec::new(),
        reads: Vec::new(),
        expected: Vec::new(),
        printed: None,
        tolerance: None,
    })
}

/// `X`, `X,Y` or `X,Y,Z`.
fn extent(value: &str) -> Result<[u32; 3], Failure> {
    let wrong = || format!("`{value}` is not one to three positive numbers with commas");
    let mut extent = [1; 3];
    for (index, part) in value.split(',').enumerate() {
        let number = part.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
        *extent.get_mut(index).ok_or_else(wrong)? = number;
    }
    Ok(extent)
}

fn expected(value: &str) -> Result<(String, Expected), Failure> {
    let (buffer, contents) = value.split_once('=').ok_or("an expectation is `BUFFER=CONTENTS`")?;
    let contents = Expected::parse(contents.trim()).map_err(|e| e.to_string())?;
    Ok((buffer.trim().to_owned(), contents))
}

fn tolerance(value: &str) -> Result<Tolerance, Failure> {
    let wrong = || format!("`{value}`: takes `N ulps`, `N relative` or `N absolute`");
    let (number, unit) = value.split_once(' ').ok_or_else(wrong)?;
    let size = || number.parse::<f64>().ok().filter(|size| (0.0..1.0).contains(size)).ok_or_else(wrong);
    Ok(match unit.trim() {
        "ulps" => Tolerance { ulps: number.parse().map_err(|_| wrong())?, ..Tolerance::default() },
        "relative" => Tolerance { relative: size()?, ..Tolerance::default() },
        "absolute" => Tolerance { absolute: size()?, ..Tolerance::default() },
        _ => return Err(wrong()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_has_the_lines_after_it() {
        let text = "// What it shows.\n//@ args: -w\n//@ launch: first grid=2,3 block=32 shared=64\n\
                    //@ arg: out=i32[4]\n//@ arg: f32:1.5\n//@ expect: out={1, 2, 3, 4}\n//@ tolerance: 2 ulps\n\
                    //@ launch: second grid=1 block=4,4,2 cooperative\n//@ set: n=5\n//@ read: m\n\
                    //@ printed: one\n//@ printed: two\nint x;\n";
        let (directives, launches) = parse(text).expect("well formed");
        assert_eq!(directives.settings(None).expect("known").args, ["-w"]);
        let [first, second] = launches.as_slice() else { panic!("two launches") };
        assert_eq!((first.line, first.kernel.as_str(), first.shared), (3, "first", 64));
        assert_eq!((first.grid, first.block), ([2, 3, 1], [32, 1, 1]));
        assert_eq!(first.args, ["out=i32[4]", "f32:1.5"]);
        assert_eq!(
            (first.expected[0].0.as_str(), first.expected[0].1.text.as_str()),
            ("out", "{1, 2, 3, 4}")
        );
        assert_eq!(first.tolerance, Some(Tolerance { ulps: 2, ..Tolerance::default() }));
        assert!(second.is_cooperative && !first.is_cooperative);
        assert_eq!((second.block, second.printed.as_deref()), ([4, 4, 2], Some("one\ntwo\n")));
        assert_eq!(
            (second.settings.as_slice(), second.reads.as_slice()),
            (&["n=5".to_owned()][..], &["m".to_owned()][..])
        );
        assert!(second.args.is_empty() && second.expected.is_empty() && second.tolerance.is_none());
    }

    #[test]
    fn rejects_invalid_launches() {
        let refused = |text: &str, why: &str| {
            let message = parse(text).expect_err("must be refused");
            assert!(message.contains(why), "{message}\nlacks `{why}`");
        };
        refused("int x;", "no `//@ launch");
        refused("//@ arg: 1\n//@ launch: k grid=1 block=1", "line 1: `arg` must follow a `launch`");
        refused("//@ launch: k block=1", "`KERNEL grid=… block=…`");
        refused("//@ launch: k grid=1 block=1 grid=2", "`grid` stands twice");
        refused("//@ launch: k grid=0 block=1", "positive numbers");
        refused("//@ launch: k grid=1,1,1,1 block=1", "one to three");
        refused("//@ launch: k grid=1 block=1 threads=4", "no `threads`");
        let with_launch = |line: &str| format!("//@ launch: k grid=1 block=1\n//@ {line}");
        refused(&with_launch("arg: f32["), "f32[");
        refused(&with_launch("set: n"), "`VARIABLE=SPEC`");
        refused(&with_launch("expect: {1}"), "`BUFFER=CONTENTS`");
        refused(&with_launch("expect: 0=what"), "what");
        refused(&with_launch("tolerance: 2"), "takes `N ulps`");
        refused(&with_launch("tolerance: 7 relative"), "takes `N ulps`");
        refused(&with_launch("tolerance: 1 ulps\n//@ tolerance: 1 ulps"), "stands twice");
        refused("//@ revisions: a\n//@[a] launch: k grid=1 block=1", "for all revisions");
        assert!(Directives::parse("//@ launch: k grid=1 block=1").is_err(), "only where kernels are run");
    }
}
