//! The GPUs to generate code for, in nvcc's spellings: `-gencode`, `-arch`, `-code`.
//!
//! In: the values on the command line. Out: a [`Code`]: for each virtual architecture, the images to generate
//! from it. Combinations that nvcc rejects are rejected (measured with nvcc 13.5).

use clap::Args;
use weft_lower::target::{Target, Variant};

use crate::emit::report;
use crate::error::{Error, Message};
use crate::session::{Code, Generation};
use crate::toolchain::ImageKind;
use weft_frontend::diag::render::Format;

/// The options as clap reads them; `--arch` is one that every command has.
#[derive(Debug, Default, Args)]
pub struct CodeArgs {
    /// Compile for a virtual architecture and these GPUs: arch=compute_90,code=[sm_90,compute_90]; may be
    /// repeated [-gencode]
    #[arg(long, value_name = "SPEC", help_heading = "Target")]
    pub generate_code: Vec<String>,

    /// With --arch=compute_NN: make code for these GPUs, and PTX for compute_NN; may be repeated
    /// [-code=sm_90,compute_90]
    #[arg(long, value_name = "LIST", help_heading = "Target")]
    pub gpu_code: Vec<String>,

    /// List the virtual architectures and exit
    #[arg(long, help_heading = "Target")]
    pub list_gpu_arch: bool,

    /// List the GPUs and exit
    #[arg(long, help_heading = "Target")]
    pub list_gpu_code: bool,
}

/// The prefix of nvcc's virtual architectures.
const VIRTUAL: &str = "compute_";

impl CodeArgs {
    /// The requested code; `arch` is the value of `--arch`.
    ///
    /// # Errors
    ///
    /// If a value is not an architecture, or values exclude each other.
    pub fn code(&self, arch: Option<&str>, format: Format) -> Result<Code, Error> {
        let mut code = Code { generations: Vec::new(), is_plain: self.generate_code.is_empty() };
        let gpu_code = (!self.gpu_code.is_empty()).then(|| self.gpu_code.join(","));
        match (arch, gpu_code.as_deref()) {
            (None, None) if !self.generate_code.is_empty() => {}
            (None, Some(_)) => {
                return Err(Message::new("`-code` requires `-arch`")
                    .help("also name a virtual architecture: `-arch=compute_90 -code=sm_90`")
                    .user());
            }
            (Some(name @ ("all" | "all-major" | "native")), Some(_)) => {
                let text = format!("`-arch={name}` cannot be used with `-code`");
                return Err(Message::new(text).help("remove `-code`, or use `-gencode`").user());
            }
            (Some("all"), None) => code.add_all(|_| true),
            (Some("all-major"), None) => code.add_all(|sm| sm == 75 || sm % 10 == 0),
            (Some("native"), None) => code.add_native(format)?,
            (Some(arch), Some(list)) => {
                code.is_plain = false;
                code.add(arch, list, "-arch")?;
            }
            (arch, None) => code.add_plain(arch)?,
        }
        for spec in &self.generate_code {
            let (arch, list) = read_spec(spec)?;
            code.add(&arch, &list, "-gencode")?;
        }
        Ok(code)
    }

    /// The text of `--list-gpu-arch` or `--list-gpu-code`, if requested.
    pub fn list(&self) -> Option<String> {
        let prefix = match (self.list_gpu_arch, self.list_gpu_code) {
            (false, false) => return None,
            (true, true) => return Some(lines(|sm| format!("arch=compute_{sm},code=sm_{sm}"))),
            (true, false) => VIRTUAL,
            (false, true) => "sm_",
        };
        Some(lines(|sm| format!("{prefix}{sm}")))
    }
}

fn lines(line: impl Fn(u16) -> String) -> String {
    base_targets().map(|target| line(target.sm()) + "\n").collect()
}

/// The GPUs that ptxas supports, without variants for one GPU or a family.
fn base_targets() -> impl Iterator<Item = Target> {
    Target::all().filter(|target| target.variant() == Variant::Base && target.is_in_ptxas_13())
}

impl Code {
    /// `-arch` alone: code for the GPU, and PTX for later ones.
    fn add_plain(&mut self, arch: Option<&str>) -> Result<(), Error> {
        let is_virtual = arch.is_some_and(|arch| arch.starts_with(VIRTUAL));
        let target = arch.map_or(Ok(Target::DEFAULT), |arch| parse(&arch.replace(VIRTUAL, "sm_")))?;
        // PTX for one GPU or a family does not run on later ones, so PTX for all of them is added.
        if let Some(base) = target.base().filter(|_| target.variant() != Variant::Base) {
            self.push(base, ImageKind::Ptx, base);
        }
        if !is_virtual {
            self.push(target, ImageKind::Cubin, target);
        }
        self.push(target, ImageKind::Ptx, target);
        // If only one text is made, it is the one for the named GPU.
        self.generations.sort_by_key(|generation| generation.arch != target);
        Ok(())
    }

    fn add_all(&mut self, is_wanted: impl Fn(u16) -> bool) {
        self.is_plain = false;
        let targets: Vec<Target> = base_targets().filter(|target| is_wanted(target.sm())).collect();
        // The latest with a minor version of 0.
        let last = targets.iter().rev().find(|target| target.sm() % 10 == 0).copied();
        for target in targets {
            self.push(target, ImageKind::Cubin, target);
            if Some(target) == last {
                self.push(target, ImageKind::Ptx, target);
            }
        }
    }

    /// The GPUs of this machine, or the default if there are none, like nvcc.
    fn add_native(&mut self, format: Format) -> Result<(), Error> {
        let found: Vec<Target> = weft_run::device::gpu::capabilities()
            .into_iter()
            .filter_map(|(major, minor)| Target::parse(&format!("sm_{major}{minor}")).ok())
            .collect();
        if found.is_empty() {
            let message =
                Message::new(format!("`-arch=native`: found no GPU; compiling for {}", Target::DEFAULT));
            report::warning(&message.help("name one: `-arch=sm_90`"), format);
            return self.add_plain(None);
        }
        for target in &found {
            self.push(*target, ImageKind::Cubin, *target);
        }
        self.is_plain &= self.generations.len() == 1;
        Ok(())
    }

    /// Images for a list of GPUs and virtual architectures, from PTX for `arch`.
    fn add(&mut self, arch: &str, list: &str, option: &str) -> Result<(), Error> {
        let Some(number) = arch.strip_prefix(VIRTUAL) else {
            let is_gpu = arch.strip_prefix("sm_").is_some_and(|number| !number.is_empty());
            let (what, meant) = if is_gpu {
                ("is a GPU; expected a virtual architecture", arch.replace("sm_", VIRTUAL))
            } else {
                ("is not a virtual architecture", "compute_90".to_owned())
            };
            return Err(Message::new(format!("`{option}`: `{arch}` {what}"))
                .help(format!("write `{meant}`"))
                .user());
        };
        let made_of = parse(&format!("sm_{number}"))?;
        for word in unwrapped(list).split(',').map(|word| unwrapped(word.trim())) {
            let virtual_number = word.strip_prefix(VIRTUAL);
            if word.starts_with("lto_") {
                return Err(Message::new(format!("`{word}`: link-time optimization is not supported"))
                    .help("name GPUs (`sm_90`) and virtual architectures (`compute_90`)")
                    .user());
            }
            let target = match virtual_number {
                Some(number) => parse(&format!("sm_{number}"))?,
                None => parse(word)?,
            };
            let target = if virtual_number.is_none() { within_family(made_of, target) } else { target };
            let fits = match virtual_number {
                Some(_) => target == made_of,
                None => runs_on(made_of, target),
            };
            if !fits {
                return Err(Message::new(format!("`{arch}` cannot be compiled to code for `{word}`"))
                    .note(match made_of.variant() {
                        Variant::Arch => format!("`{arch}` is only for `sm_{number}`"),
                        Variant::Family => {
                            format!("`{arch}` is only for its family, `sm_{}` and later", made_of.sm())
                        }
                        Variant::Base => format!("`{arch}` is for `sm_{number}` and later"),
                    })
                    .user());
            }
            let kind = if virtual_number.is_some() { ImageKind::Ptx } else { ImageKind::Cubin };
            self.push(made_of, kind, target);
        }
        Ok(())
    }

    fn push(&mut self, arch: Target, kind: ImageKind, target: Target) {
        let idx = self.generations.iter().position(|generation| generation.arch == arch);
        let idx = idx.unwrap_or_else(|| {
            self.generations.push(Generation { arch, images: Vec::new() });
            self.generations.len() - 1
        });
        let images = &mut self.generations[idx].images;
        if !images.contains(&(kind, target)) {
            images.push((kind, target));
        }
    }
}

/// Whether code for `target` can be generated from PTX for `made_of` (nvcc's guide "Virtual Architecture
/// Feature List", ptxas `--gpu-name`).
fn runs_on(made_of: Target, target: Target) -> bool {
    match made_of.variant() {
        Variant::Base => target.sm() >= made_of.sm(),
        Variant::Family => target.sm() >= made_of.sm() && target.sm() / 10 == made_of.sm() / 10,
        Variant::Arch => target == made_of,
    }
}

/// Code from PTX with family-specific features is limited to that family.
fn within_family(made_of: Target, target: Target) -> Target {
    let family = Target::parse(&format!("sm_{}f", target.sm()));
    match (made_of.variant(), target.variant(), family) {
        (Variant::Family, Variant::Base, Ok(family)) => family,
        _ => target,
    }
}

fn parse(text: &str) -> Result<Target, Error> {
    Target::parse(text).map_err(|error| Message::new(error.to_string()).user())
}

/// `arch=compute_90,code=[sm_90,compute_90]`, in either order.
fn read_spec(spec: &str) -> Result<(String, String), Error> {
    let refuse = |text: String| {
        Err(Message::new(text).help("write `-gencode arch=compute_90,code=[sm_90,compute_90]`").user())
    };
    let (mut arch, mut code) = (None, None);
    for part in super::nvcc::words::parts(spec) {
        let part = part.as_str();
        let Some((key, value)) = part.split_once('=') else {
            return refuse(format!("`-gencode {spec}`: expected `keyword=value`, but got `{part}`"));
        };
        let slot = match key.trim() {
            "arch" => &mut arch,
            "code" => &mut code,
            other => return refuse(format!("`-gencode {spec}`: unknown keyword `{other}`")),
        };
        if slot.replace(value.to_owned()).is_some() {
            return refuse(format!("`-gencode {spec}`: `{key}` is given twice"));
        }
    }
    match (arch, code) {
        (Some(arch), Some(code)) => Ok((arch, code)),
        (None, _) => refuse(format!("`-gencode {spec}` lacks `arch=`")),
        (Some(_), None) => refuse(format!("`-gencode {spec}` lacks `code=`")),
    }
}

/// The list without surrounding brackets or quotes.
fn unwrapped(list: &str) -> &str {
    let pairs = [('[', ']'), ('"', '"'), ('\'', '\'')];
    let inner = pairs.iter().find_map(|&(open, close)| list.strip_prefix(open)?.strip_suffix(close));
    inner.map_or(list, unwrapped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(arch: Option<&str>, gpu_code: Option<&str>, specs: &[&str]) -> Result<String, String> {
        let args = CodeArgs {
            generate_code: specs.iter().map(ToString::to_string).collect(),
            gpu_code: gpu_code.into_iter().map(str::to_owned).collect(),
            ..CodeArgs::default()
        };
        let code = args.code(arch, Format::Short).map_err(|error| error.to_string())?;
        let image = |(kind, target): &(ImageKind, Target)| match kind {
            ImageKind::Cubin => target.to_string(),
            ImageKind::Ptx => target.to_string().replace("sm", "compute"),
        };
        let generation = |generation: &Generation| {
            let images: Vec<String> = generation.images.iter().map(image).collect();
            format!("{}: {}", generation.arch.to_string().replace("sm_", ""), images.join(" "))
        };
        Ok(code.generations.iter().map(generation).collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn nvccs_spellings_are_read() {
        let of = |arch, list, specs: &[&str]| code(arch, list, specs).expect("code");
        assert_eq!(of(None, None, &[]), "75: sm_75 compute_75");
        assert_eq!(of(Some("sm_90"), None, &[]), "90: sm_90 compute_90");
        assert_eq!(of(Some("sm_90a"), None, &[]), "90a: sm_90a compute_90a; 90: compute_90");
        assert_eq!(of(Some("compute_90"), None, &[]), "90: compute_90");
        assert_eq!(of(Some("compute_80"), Some("sm_80,sm_90,compute_80"), &[]), "80: sm_80 sm_90 compute_80");
        let both = ["arch=compute_90,code=sm_90", "arch=compute_80,code=[sm_80,sm_86,compute_80]"];
        assert_eq!(of(None, None, &both), "90: sm_90; 80: sm_80 sm_86 compute_80");
        assert_eq!(of(None, None, &["code=\"sm_90,compute_90\",arch=compute_90"; 2]), "90: sm_90 compute_90");
        assert_eq!(of(Some("sm_80"), None, &both[..1]), "80: sm_80 compute_80; 90: sm_90");
        assert_eq!(of(None, None, &["arch=compute_100f,code=[sm_100,sm_103a]"]), "100f: sm_100f sm_103a");
        let major = of(Some("all-major"), None, &[]);
        assert!(major.starts_with("75: sm_75; 80: sm_80; 90: sm_90; 100: sm_100;"), "{major}");
        assert!(major.ends_with("120: sm_120 compute_120"), "{major}");
    }

    #[test]
    fn rejects_options_that_exclude_each_other() {
        for (arch, list, specs, words) in [
            (None, Some("sm_90"), &[][..], "`-code` requires `-arch`"),
            (Some("sm_90"), Some("sm_90"), &[], "expected a virtual architecture"),
            (Some("all"), Some("sm_90"), &[], "cannot be used with `-code`"),
            (None, None, &["arch=sm_90,code=sm_90"], "write `compute_90`"),
            (None, None, &["arch=compute_90,code=sm_80"], "`compute_90` cannot be compiled to code for"),
            (None, None, &["arch=compute_80,code=compute_90"], "cannot be compiled to code for"),
            (None, None, &["arch=compute_90a,code=sm_90"], "only for `sm_90a`"),
            (None, None, &["arch=compute_100f,code=sm_120"], "only for its family"),
            (None, None, &["arch=compute_90"], "lacks `code=`"),
            (None, None, &["code=sm_90"], "lacks `arch=`"),
            (None, None, &["arch=compute_90,code=sm_90,compute_90"], "`keyword=value`"),
            (None, None, &["arch=compute_90,code=sm_90,code=sm_100"], "is given twice"),
            (None, None, &["arch=compute_91,code=sm_91"], "unknown architecture"),
            (None, None, &["arch=,code="], "`` is not a virtual architecture"),
            (None, None, &["arch=compute_90,code=sm_90]"], "unknown architecture"),
            (None, None, &["arch=compute_90,code=[]"], "unknown architecture"),
            (Some("compute_80"), Some("sm_80,,"), &[], "unknown architecture"),
            (None, None, &["arch=compute_90,code=[lto_90]"], "link-time"),
        ] {
            let error = code(arch, list, specs).expect_err(words);
            assert!(error.contains(words), "{error}");
        }
    }
}
