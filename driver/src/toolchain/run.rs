//! Runs a program with a time limit, and shows it as a shell command.
//!
//! A program runs without standard input, in its own process group, which is stopped as a whole: when the
//! time is over, and when a signal ends the compiler.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::error::{Error, Message};
use crate::interrupt;

/// The number of bytes that are kept of standard output and of standard error.
pub const MAX_OUTPUT: usize = 64 << 20;

/// A program and its arguments.
#[derive(Clone, Debug)]
pub struct Invocation {
    program: PathBuf,
    args: Vec<OsString>,
    time: Option<Duration>,
}

/// The result of running a program.
#[derive(Debug)]
pub struct Ran {
    /// Its exit status.
    pub status: ExitStatus,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Ran {
    /// The result of a program that was not run.
    pub fn nothing() -> Self {
        Ran { status: ExitStatus::default(), stdout: String::new(), stderr: String::new() }
    }
}

impl Invocation {
    /// The program without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Invocation { program: program.into(), args: Vec::new(), time: None }
    }

    /// The file name of the program.
    pub fn name(&self) -> String {
        self.program.file_name().unwrap_or(self.program.as_os_str()).to_string_lossy().into_owned()
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<I: IntoIterator<Item: AsRef<OsStr>>>(mut self, args: I) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// The same without some of the arguments; `None` if it does not have them.
    pub fn without(&self, args: &[OsString]) -> Option<Invocation> {
        let has = |place: &[OsString]| !args.is_empty() && place == args;
        let start = self.args.windows(args.len().max(1)).position(has)?;
        let mut plain = self.clone();
        plain.args.drain(start..start + args.len());
        Some(plain)
    }

    /// Sets the time limit; by default there is none.
    #[must_use]
    pub fn within(mut self, time: Option<Duration>) -> Self {
        self.time = time;
        self
    }

    /// Runs the program.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or does not end in time. A program that fails is not an error here: see
    /// [`Ran::status`].
    pub fn run(&self) -> Result<Ran, Error> {
        let failed = |error: io::Error| {
            Message::file("run", &self.program, &error).note(format!("command:\n{self}")).environment()
        };
        let mut command = Command::new(&self.program);
        command.args(&self.args).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, _held) = interrupt::child(|| command.spawn()).map_err(failed)?;
        let end = self.time.and_then(|time| Instant::now().checked_add(time));
        let mut streams = Streams::of(&mut child);
        let ended =
            streams.read_to(end).and_then(|is_read| if is_read { wait(&mut child, end) } else { Ok(None) });
        if !matches!(ended, Ok(Some(_))) {
            let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
            let _ = child.wait();
        }
        let [stdout, stderr] = streams.0.map(|stream| String::from_utf8_lossy(&stream.kept).into_owned());
        match ended.map_err(failed)? {
            Some(status) => Ok(Ran { status, stdout, stderr }),
            None => Err(self.late(&joined_output(&stdout, &stderr))),
        }
    }

    fn late(&self, output: &str) -> Error {
        let seconds = self.time.unwrap_or_default().as_secs();
        let message = Message::new(format!("`{}` timed out after {seconds} s", self.name()));
        let message = message.note(format!("command:\n{self}"));
        let message = if output.is_empty() { message } else { message.note(format!("output:\n{output}")) };
        message.help("increase the limit with `--tool-timeout`").environment()
    }
}

/// The output streams of a child.
struct Streams([Stream; 2]);

struct Stream {
    /// Open until the stream ends.
    pipe: Option<File>,
    kept: Vec<u8>,
}

impl Streams {
    fn of(child: &mut Child) -> Self {
        let pipes = [child.stdout.take().map(OwnedFd::from), child.stderr.take().map(OwnedFd::from)];
        Streams(pipes.map(|pipe| Stream { pipe: pipe.map(File::from), kept: Vec::new() }))
    }

    /// Reads both streams to their end. Returns false if the time is over before.
    fn read_to(&mut self, end: Option<Instant>) -> io::Result<bool> {
        let mut part = vec![0; 64 << 10];
        loop {
            let Some(remaining) = remaining(end) else { return Ok(false) };
            let mut open: Vec<&mut Stream> = self.0.iter_mut().filter(|it| it.pipe.is_some()).collect();
            if open.is_empty() {
                return Ok(true);
            }
            let mut polled: Vec<PollFd<'_>> =
                open.iter().filter_map(|it| Some(PollFd::new(it.pipe.as_ref()?, PollFlags::IN))).collect();
            match poll(&mut polled, remaining.as_ref()) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let ready: Vec<bool> = polled.iter().map(|it| !it.revents().is_empty()).collect();
            for (stream, _) in open.iter_mut().zip(ready).filter(|(_, is_ready)| *is_ready) {
                stream.read(&mut part)?;
            }
        }
    }
}

impl Stream {
    fn read(&mut self, part: &mut [u8]) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        match pipe.read(part) {
            Ok(0) => self.pipe = None,
            Ok(n_bytes) => {
                let room = MAX_OUTPUT - self.kept.len();
                self.kept.extend_from_slice(&part[..n_bytes.min(room)]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// The remaining time, for `poll`; `None` if it is over.
fn remaining(end: Option<Instant>) -> Option<Option<Timespec>> {
    let Some(end) = end else { return Some(None) };
    let remaining = end.checked_duration_since(Instant::now()).filter(|remaining| !remaining.is_zero())?;
    Some(Some(Timespec { tv_sec: remaining.as_secs() as i64, tv_nsec: i64::from(remaining.subsec_nanos()) }))
}

/// Waits for a child that has closed its output streams, which most do as they end. `None` if the time is
/// over before.
fn wait(child: &mut Child, end: Option<Instant>) -> io::Result<Option<ExitStatus>> {
    const LONGEST: Duration = Duration::from_millis(20);
    let mut pause = Duration::from_micros(50);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(LONGEST);
    }
}

impl Ran {
    /// Its output, with standard error first.
    pub fn output(&self) -> String {
        joined_output(&self.stdout, &self.stderr)
    }
}

fn joined_output(stdout: &str, stderr: &str) -> String {
    let parts = [stderr.trim(), stdout.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", quoted(self.program.as_os_str()))?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quoted(arg)))
    }
}

/// An argument quoted for a POSIX shell.
fn quoted(word: &OsStr) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(is_plain) => text.to_owned(),
        Some(text) if !text.chars().any(char::is_control) => format!("'{}'", text.replace('\'', r"'\''")),
        // POSIX.1-2024 2.2.4: bytes that are not text are written in octal.
        _ => {
            let byte = |&byte: &u8| match byte {
                b'\'' | b'\\' => format!("\\{}", char::from(byte)),
                b' '..=b'~' => char::from(byte).to_string(),
                _ => format!("\\{byte:03o}"),
            };
            format!("$'{}'", word.as_bytes().iter().map(byte).collect::<String>())
        }
    }
}

impl Message {
    /// A program failed: adds its command line and its output.
    #[must_use]
    pub fn ran(self, invocation: &Invocation, ran: &Ran) -> Self {
        let message = self.note(format!("command:\n{invocation}"));
        let output = ran.output();
        if output.is_empty() {
            message.note(format!("it printed nothing; {}", ran.status))
        } else {
            message.note(format!("output:\n{output}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_line_back() {
        let words = ["a b", "it's", "$HOME", "", "-arch=sm_90", "é*"];
        let line = Invocation::new("printf").arg("%s\\n").args(words).to_string();
        let ran = Invocation::new("sh").arg("-c").arg(line).run().expect("sh is there");
        assert_eq!(ran.stdout, words.map(|w| format!("{w}\n")).concat());
        assert_eq!(quoted(OsStr::from_bytes(b"a\n\xff'")), r"$'a\012\377\''");
    }

    #[test]
    fn a_program_that_does_not_start_is_an_environment_error() {
        let error = Invocation::new("/nowhere/ptxas").arg("-v").run().expect_err("nothing is there");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("/nowhere/ptxas -v"), "{error}");
    }

    #[test]
    fn a_program_that_hangs_is_stopped_with_its_children() {
        let sh = |script: &str| Invocation::new("sh").arg("-c").arg(script);
        let time = Some(Duration::from_millis(200));
        for script in
            ["echo begun; sleep 1000; echo ended", "exec >/dev/null 2>&1; sleep 1000", "sleep 1000 & wait"]
        {
            let error = sh(script).within(time).run().expect_err(script);
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains("timed out after"), "{error}");
        }
        let time = Some(Duration::from_secs(600));
        let ran = sh("echo out; echo err >&2; exit 3").within(time).run().expect("it ends");
        assert_eq!((&*ran.stdout, &*ran.stderr, ran.status.code()), ("out\n", "err\n", Some(3)));
    }

    #[test]
    fn more_than_a_pipe_holds_is_read_from_both() {
        let script = "head -c 1000000 /dev/zero | tr '\\0' x; head -c 1000000 /dev/zero | tr '\\0' y >&2";
        let ran = Invocation::new("sh").arg("-c").arg(script).run().expect("sh is there");
        assert_eq!((ran.stdout.len(), ran.stderr.len()), (1_000_000, 1_000_000));
    }
}
