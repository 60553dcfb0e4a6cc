//! The names that a module mentions: what it does not mention, ptxas leaves out.

use std::collections::HashSet;

use super::syntax::{Block, Constant, Initializer, Module, Operand, Statement};

/// The names that bodies and initial values of a module mention.
pub fn names_in<'t>(module: &Module<'t>) -> HashSet<&'t str> {
    let mut names = HashSet::new();
    for function in &module.functions {
        function.body.iter().for_each(|body| names_in_block(body, &mut names));
    }
    for variable in &module.variables {
        variable.init.iter().for_each(|init| names_in_initializer(init, &mut names));
    }
    names
}

fn names_in_block<'t>(block: &Block<'t>, names: &mut HashSet<&'t str>) {
    for statement in &block.statements {
        match statement {
            Statement::Block(block) => names_in_block(block, names),
            Statement::Instruction(instruction) => {
                instruction.operands.iter().for_each(|operand| names_in_operand(operand, names));
            }
            Statement::CallTargets(_, targets, _) => names.extend(targets),
            Statement::Variable(_)
            | Statement::Label(..)
            | Statement::Loc(_)
            | Statement::Pragma(_)
            | Statement::BranchTargets(..)
            | Statement::CallPrototype(..) => {}
        }
    }
}

fn names_in_operand<'t>(operand: &Operand<'t>, names: &mut HashSet<&'t str>) {
    match operand {
        Operand::Name(name) => drop(names.insert(name)),
        Operand::Constant(Constant::Symbol(address)) => drop(names.insert(address.name)),
        Operand::Address(address) => names.extend(address.base),
        Operand::Pair(pair) => {
            names_in_operand(&pair.0, names);
            names_in_operand(&pair.1, names);
        }
        Operand::Vector(operands) | Operand::List(operands) | Operand::Parts(operands) => {
            operands.iter().for_each(|operand| names_in_operand(operand, names));
        }
        Operand::Element(name, index) => {
            names.insert(name);
            names_in_operand(index, names);
        }
        Operand::Part(..) | Operand::Constant(_) | Operand::Not(_) | Operand::Negated(_) | Operand::Sink => {}
    }
}

fn names_in_initializer<'t>(init: &Initializer<'t>, names: &mut HashSet<&'t str>) {
    match init {
        Initializer::Value(Constant::Symbol(address)) => drop(names.insert(address.name)),
        Initializer::Value(_) | Initializer::Property(..) => {}
        Initializer::List(items) => items.iter().for_each(|item| names_in_initializer(item, names)),
    }
}
