//! Decodes one instruction by its opcode, with its modifiers in the order of the PTX ISA.

use super::Decoder;
use super::compute::divided;
use crate::compute::{self, carry, video};
use crate::program::agreement::Named;
use crate::program::code::Op;
use crate::program::kind::Kind;
use crate::program::operand::Decoded;
use crate::program::provenance::Flow;
use crate::ptx::syntax::{self, Operand, Type};

impl<'t> Decoder<'_, 't> {
    pub(super) fn ordered_instruction(&mut self, instruction: &syntax::Instruction<'t>) -> Decoded<()> {
        self.names.place = instruction.place;
        self.names.before.clear();
        self.names.after.clear();
        if instruction.operands.first() == Some(&Operand::Sink) && !may_drop_result(instruction.opcode) {
            return Err(self.names.misfit(format!("the result of `{}` cannot be `_`", instruction.opcode)));
        }
        let with_elements;
        // `cvt.rs` has lists, and no vectors.
        let instruction = if self.names.has_vectors && instruction.opcode != "cvt" {
            with_elements = self.names.with_elements(instruction);
            &with_elements
        } else {
            instruction
        };
        self.kind = Kind::of(instruction.opcode, &instruction.modifiers);
        self.flow = Flow::of(instruction.opcode, &instruction.modifiers);
        self.names.direct = None;
        self.names.named = Named::by(instruction.opcode, &instruction.modifiers);
        if let "exit" | "trap" | "brkpt" | "ret" | "membar" = instruction.opcode
            && !instruction.operands.is_empty()
        {
            return Err(self.names.misfit(format!("`{}` takes no operands", instruction.opcode)));
        }
        let guard = instruction.guard.as_ref().map(|guard| self.names.guard(guard)).transpose()?;
        let op = match (instruction.opcode, &instruction.modifiers[..]) {
            ("st" | "red", ["async", ..]) => {
                let [op, completion] = self.names.store_async(instruction)?;
                self.push(op, guard, instruction.place);
                completion
            }
            ("ld" | "ldu", _) => self.names.load(instruction)?,
            ("st", ["bulk", ..]) => self.names.bulk_store(instruction)?,
            ("st", _) => self.names.store(instruction)?,
            ("atom" | "red", _) => self.names.atomic(instruction)?,
            ("mov", [ty]) => self.names.mov(instruction, ty)?,
            ("mov", [vector @ ("v2" | "v4"), ty]) => self.names.mov_vector(instruction, vector, ty)?,
            ("alloca" | "stacksave" | "stackrestore", [ty @ ("u32" | "u64")]) => {
                self.names.stack(instruction, if *ty == "u32" { Type::U32 } else { Type::U64 })?
            }
            ("isspacep", [space]) => self.is_in_space(instruction, space)?,
            ("cvta", modifiers) => self.convert_address(instruction, modifiers)?,
            ("bra", [] | ["uni"]) => {
                let [Operand::Name(label)] = instruction.operands[..] else {
                    return Err(self.names.misfit("a branch takes one label"));
                };
                self.jumps.push((self.instructions.len(), self.labels.block, label));
                Op::Branch { target: 0, cost: 0 }
            }
            ("brx", ["idx"] | ["idx", "uni"]) => {
                let [index, Operand::Name(table)] = &instruction.operands[..] else {
                    return Err(self.names.error("an indexed branch takes an index and a list of labels"));
                };
                let index = self.names.source(index, Type::U32)?;
                self.push_operands(instruction.place);
                self.table_jumps.push((self.instructions.len(), self.labels.block, table));
                Op::BranchIndexed { index, targets: Vec::new(), cost: 0 }
            }
            ("call", [] | ["uni"]) => return self.call(instruction, guard),
            ("ret", [] | ["uni"]) => {
                self.push_return(guard, instruction.place);
                return Ok(());
            }
            ("exit", []) => Op::Exit,
            ("trap", []) => Op::Trap,
            ("brkpt", []) => Op::Breakpoint,
            ("barrier", ["cluster", ..]) => self.names.cluster_barrier(instruction)?,
            ("mapa" | "getctarank", _) => self.names.in_cluster(instruction)?,
            ("bar" | "barrier", modifiers) if modifiers.first() != Some(&"warp") => {
                self.barrier(instruction)?
            }
            ("membar" | "fence", _) => self.names.fence(instruction)?,
            ("cp", _) => self.names.copy(instruction)?,
            ("mbarrier", _) => self.names.mbarrier(instruction)?,
            ("tex" | "tld4", _) => self.names.texture_read(instruction)?,
            ("suld" | "sust" | "sured", _) => self.names.surface_access(instruction)?,
            ("txq" | "suq" | "istypep", _) => self.names.object_query(instruction)?,
            ("mma" | "wmma", _) => self.names.matrix(instruction)?,
            ("ldmatrix" | "stmatrix", _) => self.names.matrix_rows(instruction)?,
            ("movmatrix", _) => self.names.movmatrix(instruction)?,
            ("nanosleep", ["u32"]) => Op::Sleep,
            ("prefetch", ["tensormap"] | ["const" | "param", "tensormap"]) => Op::Nothing,
            ("setmaxnreg", ["inc" | "dec", "sync", "aligned", "u32"]) => {
                self.names.require_register_count(instruction)?
            }
            ("wgmma" | "tcgen05" | "multimem" | "fabric" | "clusterlaunchcontrol", _) => {
                return Err(self.names.not_executed(instruction));
            }
            ("tensormap", _) => self.names.tensor_map(instruction)?,
            ("createpolicy", _) => self.names.cache_policy(instruction)?,
            ("applypriority", ["L2::evict_normal"] | ["global", "L2::evict_normal"])
            | ("discard", ["L2"] | ["global", "L2"]) => self.names.cache_line(instruction)?,
            ("pmevent", [] | ["mask"]) | ("griddepcontrol", ["launch_dependents" | "wait"]) => Op::Nothing,
            ("prefetch", ["L1" | "L2"] | ["global" | "local", "L1" | "L2"])
            | (
                "prefetch",
                ["L2::evict_last" | "L2::evict_normal"] | ["global", "L2::evict_last" | "L2::evict_normal"],
            )
            | ("prefetch", ["L1::32B", "valid_addr", ..] | ["global", "L1::32B", "valid_addr", ..])
            | ("prefetchu", ["L1"]) => Op::Nothing,
            (
                "applypriority",
                ["async", "bulk", "bulk_group", "L2::evict_normal"]
                | ["async", "bulk", "global", "bulk_group", "L2::evict_normal"],
            ) => self.names.bulk_prefetch(instruction, false)?,
            (opcode, _) if video::is_known(opcode) => self.names.video(instruction)?,
            (opcode, modifiers) => {
                let negated = match (opcode, instruction.operands.get(1)) {
                    ("vote", Some(operand @ Operand::Not(_))) => {
                        Some(self.predicate_or_source(operand, Type::Pred)?)
                    }
                    _ => None,
                };
                if let Some(op) = self.names.together(instruction, negated)? {
                    self.push(op, guard, instruction.place);
                    return Ok(());
                }
                if let Some(carrying) = carry::operation(opcode, modifiers) {
                    let op = self.carry(instruction, carrying)?;
                    self.push(op, guard, instruction.place);
                    return Ok(());
                }
                let operation =
                    compute::operation(opcode, modifiers).ok_or_else(|| self.names.unknown(instruction))?;
                let operation = match (opcode, modifiers.last(), instruction.operands.len()) {
                    ("min" | "max", Some(&"f32"), 4) if !modifiers.contains(&"xorsign") => {
                        compute::of_three(operation)
                    }
                    _ => operation,
                };
                if opcode == "lop3" {
                    self.require_table(instruction)?;
                }
                match opcode {
                    "cvt" if modifiers.first() == Some(&"pack") => self.pack(instruction, operation)?,
                    "cvt" => self.convert(instruction, operation, guard)?,
                    "div" | "rem" => divided(self.compute(instruction, operation)?, opcode, modifiers),
                    _ => self.compute(instruction, operation)?,
                }
            }
        };
        self.push(op, guard, instruction.place);
        Ok(())
    }
}

/// Whether the only result of an instruction may be `_`, like in ptxas.
fn may_drop_result(opcode: &str) -> bool {
    !matches!(
        opcode,
        "mov" | "cvt" | "cvta" | "ld" | "ldu" | "vote" | "shfl" | "redux" | "activemask" | "add" | "sub"
    )
}
