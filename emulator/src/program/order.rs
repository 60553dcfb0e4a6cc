//! What accesses and fences have to do with those of other threads (PTX ISA "Memory Consistency Model", "Operation
//! Types", "Scope"): in go the modifiers of `ld`, `st`, `atom`, `red`, `fence` and `membar`, out comes an [`Order`].
//!
//! Which of them go together is as ptxas has it.

use smallvec::SmallVec;

use super::code::{Fence, Memory, Op, Order, Scope, Semantics};
use super::operand::{Decoded, InstructionDecoder};
use crate::ptx::syntax::Instruction;

/// What modifiers have said of the order until now.
#[derive(Default)]
pub(super) struct OrderWords<'t> {
    semantics: Option<&'t str>,
    scope: Option<&'t str>,
    is_mmio: bool,
    is_twice: bool,
}

impl<'t> OrderWords<'t> {
    /// Takes a modifier; false if it says nothing of the order.
    pub(super) fn take(&mut self, modifier: &'t str) -> bool {
        let known = match modifier {
            "weak" | "volatile" | "relaxed" | "acquire" | "release" | "acq_rel" | "sc" => &mut self.semantics,
            "cta" | "cluster" | "gpu" | "sys" => &mut self.scope,
            "mmio" => {
                self.is_mmio = true;
                return true;
            }
            _ => return false,
        };
        self.is_twice |= known.replace(modifier).is_some();
        true
    }
}

impl<'t> OrderWords<'t> {
    /// Nothing has been said.
    pub(super) fn is_empty(&self) -> bool {
        self.semantics.is_none() && self.scope.is_none() && !self.is_mmio
    }

    /// What has been said, if that is once: the order and the scope.
    pub(super) fn parts(&self) -> Option<(Option<&'t str>, Option<Scope>)> {
        (!self.is_twice && !self.is_mmio).then(|| (self.semantics, self.scope.map(scope)))
    }
}

/// The scope that a modifier names.
fn scope(modifier: &str) -> Scope {
    match modifier {
        "cta" => Scope::Block,
        "cluster" => Scope::Cluster,
        "gpu" | "gl" => Scope::Device,
        _ => Scope::System,
    }
}

impl<'t> InstructionDecoder<'_, 't> {
    /// The order of a load or store, which is weak if nothing is said.
    pub(super) fn order_of_access(
        &self,
        opcode: &str,
        words: &OrderWords<'t>,
        memory: Memory,
        has_cache_operator: bool,
    ) -> Decoded<Order> {
        let semantics = match (opcode, words.semantics) {
            (_, None | Some("weak")) => Semantics::Weak,
            (_, Some("volatile" | "relaxed")) => Semantics::Relaxed,
            ("st", Some("release")) => Semantics::Release,
            ("ld", Some("acquire")) => Semantics::Acquire,
            (_, Some(other)) => return Err(self.error(format!("`{opcode}` cannot be `.{other}`"))),
        };
        self.require_once(opcode, words)?;
        let is_volatile = words.semantics == Some("volatile");
        if semantics == Semantics::Weak || is_volatile {
            if let Some(scope) = words.scope {
                let needs = "`.relaxed`, `.acquire` or `.release`";
                return Err(self.error(format!("the scope `.{scope}` of `{opcode}` needs {needs}")));
            }
            if words.is_mmio {
                return Err(self.error(format!("`.mmio` of `{opcode}` needs `.relaxed`")));
            }
        } else if words.scope.is_none() {
            let semantics = words.semantics.unwrap_or_default();
            return Err(self.error(format!("`.{semantics}` of `{opcode}` needs a scope")));
        }
        let has_others = match memory {
            Memory::Generic | Memory::NarrowGeneric | Memory::Global => true,
            Memory::Shared => !words.is_mmio,
            Memory::Local => is_volatile,
            Memory::Const | Memory::Param | Memory::Frame => false,
        };
        if semantics != Semantics::Weak && (!has_others || has_cache_operator && !is_volatile) {
            let semantics = words.semantics.unwrap_or_default();
            let what = if has_others {
                "cannot be combined with a cache operator"
            } else {
                "is not valid for this state space"
            };
            return Err(self.error(format!("`.{semantics}` of `{opcode}` {what}")));
        }
        if words.is_mmio && words.scope != Some("sys") {
            return Err(self.error(format!("`.mmio` of `{opcode}` needs the scope `.sys`")));
        }
        // PTX ISA "Operation Types": `.volatile` is `.relaxed` with the scope of the system.
        let scope = words.scope.map_or(Scope::System, scope);
        Ok(Order { semantics, scope, is_volatile })
    }

    /// The order of `atom` and `red`: relaxed, and for the device, if nothing is said.
    pub(super) fn order_of_atomic(&self, opcode: &str, words: &OrderWords<'t>) -> Decoded<Order> {
        let semantics = match (opcode, words.semantics) {
            (_, None | Some("relaxed")) => Semantics::Relaxed,
            (_, Some("release")) => Semantics::Release,
            ("atom", Some("acquire")) => Semantics::Acquire,
            ("atom", Some("acq_rel")) => Semantics::AcquireRelease,
            (_, Some(other)) => return Err(self.error(format!("`{opcode}` cannot be `.{other}`"))),
        };
        if words.is_mmio {
            return Err(self.error(format!("`{opcode}` cannot be `.mmio`")));
        }
        self.require_once(opcode, words)?;
        Ok(Order { semantics, scope: words.scope.map_or(Scope::Device, scope), is_volatile: false })
    }

    fn require_once(&self, opcode: &str, words: &OrderWords<'t>) -> Decoded<()> {
        if words.is_twice {
            return Err(self.error(format!("`{opcode}` has more than one memory ordering or scope")));
        }
        Ok(())
    }

    /// `fence`, and `membar`, its old name (PTX ISA "membar/fence").
    ///
    /// Of the proxies there are that of threads and that of bulk copies here: what orders the accesses of others does nothing.
    pub(super) fn fence(&self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let modifiers = &instruction.modifiers[..];
        let fence = |semantics, name| Op::Fence(Fence { semantics, scope: scope(name) });
        let is_scope = |name: &str| matches!(name, "cta" | "cluster" | "gpu" | "sys");
        // Where a fence is restricted to a space, all are ordered here.
        let is_restriction = |word: &str| {
            matches!(
                word,
                "sync_restrict::shared::cta"
                    | "sync_restrict::shared::cluster"
                    | "sync_restrict::shared::cluster::read"
            )
        };
        Ok(match (instruction.opcode, modifiers) {
            // PTX ISA "membar/fence": on sm_70 and later it is `fence.sc`.
            ("membar", &[name @ ("cta" | "gl" | "sys")]) => fence(Semantics::Sequential, name),
            ("fence", &[name]) if is_scope(name) => fence(Semantics::AcquireRelease, name),
            ("fence", &[semantics, name] | &[name, semantics]) if is_scope(name) && !is_scope(semantics) => {
                match semantics {
                    "sc" => fence(Semantics::Sequential, name),
                    "acq_rel" => fence(Semantics::AcquireRelease, name),
                    "acquire" => fence(Semantics::Acquire, name),
                    "release" => fence(Semantics::Release, name),
                    _ => return Err(self.unknown(instruction)),
                }
            }
            // They order only what is in shared memory, or the initialization of barriers: more is ordered here.
            ("fence", ["acquire", "sync_restrict::shared::cluster", "cluster"]) => {
                fence(Semantics::Acquire, "cluster")
            }
            ("fence", ["release", "sync_restrict::shared::cta", "cluster"])
            | ("fence", ["mbarrier_init", "release", "cluster"]) => fence(Semantics::Release, "cluster"),
            ("fence", ["mbarrier_init", restriction, "release", "cluster"])
                if is_restriction(restriction) =>
            {
                fence(Semantics::Release, "cluster")
            }
            ("membar", ["proxy", "async"]) => Op::ProxyFence,
            ("membar", ["proxy", "alias"]) => Op::Nothing,
            ("fence", ["proxy", words @ ..]) => {
                let is_space =
                    |word: &str| matches!(word, "global" | "shared" | "shared::cta" | "shared::cluster");
                let order = words.iter().copied().filter(|word| !is_space(word) && !is_restriction(word));
                match order.collect::<SmallVec<[&str; 3]>>()[..] {
                    ["async"] => Op::ProxyFence,
                    ["alias"] => Op::Nothing,
                    ["async::generic", "acquire" | "release" | "acq_rel", name] if is_scope(name) => {
                        Op::ProxyFence
                    }
                    ["tensormap::generic", "acquire" | "release" | "acq_rel", name] if is_scope(name) => {
                        Op::Nothing
                    }
                    _ => return Err(self.unknown(instruction)),
                }
            }
            _ => return Err(self.unknown(instruction)),
        })
    }
}
