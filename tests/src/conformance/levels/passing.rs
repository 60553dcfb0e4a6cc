//! Compares the registers of parameters and results, and links.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::blame;
use super::super::model::Unit;
use super::super::registers::{self, Registers};
use super::super::verdict::{Level, Outcome, Verdict};
use super::{Engine, Pair};
use crate::Failure;
use crate::ptx_prototype;
use crate::tools::{Tool, run};

impl Engine<'_> {
    /// Compares the registers of parameters and results.
    pub(super) fn registers(&self, unit: &Unit, pair: &Pair, outcome: &mut Outcome) -> Result<(), Failure> {
        let ours = registers::of_cubin(self.tools, &pair.callee.ours.cubin)?;
        let theirs = registers::of_cubin(self.tools, &pair.callee.theirs.cubin)?;
        let prototypes = ptx_prototype::parse(&pair.callee.theirs.ptx)?;
        let both = |is_it: &dyn Fn(&str) -> bool| {
            let of = |all: &BTreeMap<String, Registers>| {
                all.iter().find(|(symbol, _)| is_it(symbol)).map(|(_, own)| own.clone())
            };
            let prototype = prototypes.iter().find(|prototype| is_it(&prototype.name));
            (of(&ours), of(&theirs), prototype)
        };
        for (idx, function) in unit.functions.iter().enumerate().filter(|(_, function)| !function.is_kernel) {
            let mut verdicts = vec![match both(&|symbol| function.is_symbol(symbol)) {
                (Some(ours), Some(theirs), prototype) => {
                    let returned = prototype.and_then(|prototype| prototype.returns.first());
                    registers::compare_returned(&ours, &theirs, returned)
                }
                (None, ..) => Verdict::Differs("it is not in the cubin".into()),
                (_, None, _) => Verdict::Oracle("it is not in nvcc's cubin".into()),
            }];
            for param in self.given.params(idx, function) {
                let name = format!("given{param}_{}", function.name);
                let (Some(ours), Some(theirs), Some(prototype)) = both(&|symbol| symbol == name) else {
                    verdicts.push(Verdict::Differs(format!("`{name}` is not in both cubins")));
                    continue;
                };
                let n_bytes = prototype.params.get(param).map_or(0, ptx_prototype::Param::size);
                verdicts.push(registers::compare_given(&ours, &theirs, n_bytes));
            }
            verdicts.into_iter().for_each(|verdict| outcome.note(&function.name, Level::Registers, verdict));
        }
        Ok(())
    }

    /// Links the caller of one compiler with the callee of the other, as cubins with nvlink and as host
    /// objects with nvcc.
    pub(super) fn linking(
        &self,
        unit: &Unit,
        pair: &Pair,
        work: &Path,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        unit.functions
            .iter()
            .for_each(|function| outcome.note(&function.name, Level::Linking, Verdict::Same));
        let out = work.join("linked");
        for (caller, callee) in
            [(&pair.caller.ours, &pair.callee.theirs), (&pair.caller.theirs, &pair.callee.ours)]
        {
            let arch = format!("-arch={}", self.arch);
            let mut nvlink = self.tools.tool(Tool::Nvlink)?;
            nvlink.arg(&arch).arg("-o").arg(&out).args([&caller.cubin, &callee.cubin]);
            let mut commands = vec![("nvlink", nvlink)];
            if let (Some(caller), Some(callee)) = (&caller.object, &callee.object) {
                let mut dlink = self.tools.tool(Tool::Nvcc)?;
                dlink.arg(&arch).args(["-dlink", "-o"]).arg(work.join("linked.o")).args([caller, callee]);
                commands.push(("nvcc -dlink", dlink));
            }
            for (by, mut command) in commands {
                let answer = run(&mut command)?;
                let said = format!("{}{}", answer.stdout, answer.stderr);
                if answer.status == Some(0) && said.trim().is_empty() {
                    continue;
                }
                let how = format!("{by}, the caller by {}: {}", caller.by, said.trim());
                for name in blame::by_name(unit, &said) {
                    outcome.note(&name, Level::Linking, Verdict::Differs(how.clone()));
                }
            }
        }
        Ok(())
    }
}
