//! Call sites of inlined code in line tables (PTX ISA "Debugging Directives: .loc"): LLVM 22 writes only the line of inlined
//! code.
//!
//! After the passes, each inlined instruction gets a fictitious file of its own, whose name is the number of its
//! calls ([`mark`]); `.loc` then contains it, and in the text its lines become those that nvcc writes ([`write`]): one for each call,
//! from the outermost inwards, with the name of the called function and the position of the call.

use std::collections::HashMap;
use std::ffi::c_char;
use std::fmt::Write;

use inkwell::llvm_sys::core::{
    LLVMGetFirstBasicBlock, LLVMGetFirstInstruction, LLVMGetNextBasicBlock, LLVMGetNextInstruction,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMCreateDIBuilder, LLVMDIBuilderCreateDebugLocation, LLVMDIBuilderCreateFile,
    LLVMDIBuilderCreateLexicalBlockFile, LLVMDIFileGetFilename, LLVMDILocationGetColumn,
    LLVMDILocationGetInlinedAt, LLVMDILocationGetLine, LLVMDILocationGetScope, LLVMDIScopeGetFile,
    LLVMDisposeDIBuilder, LLVMGetSubprogram, LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc,
};
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use inkwell::values::AsValueRef;

use super::paths::in_directive;
use crate::context::Cx;

/// The functions that scopes belong to, by symbol.
pub(crate) type ScopeFunctions = HashMap<LLVMMetadataRef, String>;

/// The prefix of the names of fictitious files.
const MARK: &str = "weft inlined ";

/// A position in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: String,
    line: u32,
    column: u32,
}

/// The calls through which inlined code came to its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Calls {
    /// Each call and the called function, the outermost first.
    calls: Vec<(Place, String)>,
    /// The file of the code.
    file: String,
}

/// Marks inlined instructions; returns the calls, by number.
pub(crate) fn mark(cx: &Cx<'_, '_>) -> Vec<Calls> {
    let functions = cx.debug_scopes.borrow();
    let mut all = Vec::new();
    // SAFETY: the module, its functions, blocks and instructions are alive; each query matches the kind of
    // value, and the new nodes belong to the same context.
    unsafe {
        let builder = LLVMCreateDIBuilder(cx.module.as_mut_ptr());
        for function in cx.module.get_functions() {
            let subprogram = LLVMGetSubprogram(function.as_value_ref());
            if subprogram.is_null() {
                continue;
            }
            let mut known: HashMap<(LLVMMetadataRef, LLVMMetadataRef), LLVMMetadataRef> = HashMap::new();
            let mut block = LLVMGetFirstBasicBlock(function.as_value_ref());
            while !block.is_null() {
                let mut instruction = LLVMGetFirstInstruction(block);
                while !instruction.is_null() {
                    let location = LLVMInstructionGetDebugLoc(instruction);
                    if !location.is_null() && !LLVMDILocationGetInlinedAt(location).is_null() {
                        let key = (LLVMDILocationGetScope(location), LLVMDILocationGetInlinedAt(location));
                        let scope = known.entry(key).or_insert_with(|| {
                            let name = format!("{MARK}{}", all.len());
                            all.push(calls(location, &functions));
                            let file = LLVMDIBuilderCreateFile(
                                builder,
                                name.as_ptr().cast(),
                                name.len(),
                                c"".as_ptr(),
                                0,
                            );
                            LLVMDIBuilderCreateLexicalBlockFile(builder, subprogram, file, 0)
                        });
                        let marked = LLVMDIBuilderCreateDebugLocation(
                            cx.llvm.raw(),
                            LLVMDILocationGetLine(location),
                            LLVMDILocationGetColumn(location),
                            *scope,
                            std::ptr::null_mut(),
                        );
                        LLVMInstructionSetDebugLoc(instruction, marked);
                    }
                    instruction = LLVMGetNextInstruction(instruction);
                }
                block = LLVMGetNextBasicBlock(block);
            }
        }
        LLVMDisposeDIBuilder(builder);
    }
    all
}

/// The calls of an inlined location.
///
/// # Safety
///
/// The node is an inlined location.
unsafe fn calls(location: LLVMMetadataRef, functions: &ScopeFunctions) -> Calls {
    // SAFETY: each in the chain is a location, with a scope in a file.
    unsafe {
        let file = file_name(LLVMDILocationGetScope(location));
        let mut calls = Vec::new();
        let mut inner = location;
        loop {
            let call = LLVMDILocationGetInlinedAt(inner);
            if call.is_null() {
                break;
            }
            let called = functions.get(&LLVMDILocationGetScope(inner)).cloned().unwrap_or_default();
            let place = Place {
                file: file_name(LLVMDILocationGetScope(call)),
                line: LLVMDILocationGetLine(call),
                column: LLVMDILocationGetColumn(call),
            };
            calls.push((place, called));
            inner = call;
        }
        calls.reverse();
        Calls { calls, file }
    }
}

/// # Safety
///
/// The node is a scope.
unsafe fn file_name(scope: LLVMMetadataRef) -> String {
    // SAFETY: our scopes have a file, whose name has the length that LLVM reports.
    unsafe {
        let mut len = 0;
        let name: *const c_char = LLVMDIFileGetFilename(LLVMDIScopeGetFile(scope), &mut len);
        in_directive(std::slice::from_raw_parts(name.cast::<u8>(), len as usize))
    }
}

/// Replaces the numbers in the text by the calls.
pub(crate) fn write(text: &str, all: &[Calls]) -> String {
    if all.is_empty() {
        return text.to_owned();
    }
    // NVIDIA's programs require files to be numbered without gaps. These map names, and LLVM's numbers, to
    // ours.
    let (mut files, mut renumbered, mut marks) = (HashMap::new(), HashMap::new(), HashMap::new());
    let mut listed: Vec<(u32, &str)> = text.lines().filter_map(file_directive).collect();
    listed.sort_unstable();
    for (old, name) in listed {
        match name.strip_prefix(MARK).and_then(|idx| idx.parse::<usize>().ok()) {
            Some(idx) => marks.insert(old, idx).map(drop),
            None => {
                let next = files.len() + 1;
                renumbered.insert(old, next);
                files.insert(name.to_owned(), next).map(drop)
            }
        };
    }
    let mut new_files = Vec::new();
    let mut number = |name: &str| {
        let next = files.len() + 1;
        *files.entry(name.to_owned()).or_insert_with(|| {
            new_files.push((next, name.to_owned()));
            next
        })
    };
    let mut names: Vec<&str> = Vec::new();
    let mut written = String::with_capacity(text.len() + text.len() / 4);
    // Writing to a `String` cannot fail.
    for line in text.split_inclusive('\n') {
        if let Some((old, name)) = file_directive(line) {
            if let Some(new) = renumbered.get(&old) {
                let _ = writeln!(written, "\t.file\t{new} \"{name}\"");
            }
            continue;
        }
        let Some((old, at)) = loc_directive(line) else {
            written.push_str(line);
            continue;
        };
        let Some(&mark) = marks.get(&old) else {
            match renumbered.get(&old) {
                Some(new) => drop(writeln!(written, "\t.loc\t{new} {at}")),
                None => written.push_str(line),
            }
            continue;
        };
        let Calls { calls, file } = &all[mark];
        let mut outer: Option<(usize, &Place, &str)> = None;
        for (place, called) in calls {
            let file = number(&place.file);
            let _ = write!(written, "\t.loc\t{file} {} {}", place.line, place.column);
            inlined_at(&mut written, outer, &mut names);
            written.push('\n');
            outer = Some((file, place, called));
        }
        let _ = write!(written, "\t.loc\t{} {at}", number(file));
        inlined_at(&mut written, outer, &mut names);
        written.push('\n');
    }
    for (number, name) in new_files {
        let _ = writeln!(written, "\t.file\t{number} \"{name}\"");
    }
    if !names.is_empty() {
        written.push_str("\t.section\t.debug_str\n\t{\n");
        for (idx, name) in names.iter().enumerate() {
            let bytes: Vec<String> = name.bytes().chain([0]).map(|byte| byte.to_string()).collect();
            let _ = writeln!(written, "$L__info_string{idx}:\n.b8 {}", bytes.join(","));
        }
        written.push_str("\t}\n");
    }
    written
}

/// The `inlined_at` part, if the code is inlined; adds the function's name to `names`.
fn inlined_at<'a>(written: &mut String, outer: Option<(usize, &Place, &'a str)>, names: &mut Vec<&'a str>) {
    let Some((file, place, called)) = outer else { return };
    let idx = names.iter().position(|name| *name == called).unwrap_or_else(|| {
        names.push(called);
        names.len() - 1
    });
    // Writing to a `String` cannot fail.
    let _ = write!(
        written,
        ", function_name $L__info_string{idx}, inlined_at {file} {} {}",
        place.line, place.column
    );
}

/// The number and the name of `.file 1 "name"`.
fn file_directive(line: &str) -> Option<(u32, &str)> {
    let (number, name) = line.trim().strip_prefix(".file\t")?.split_once(' ')?;
    Some((number.parse().ok()?, name.strip_prefix('"')?.strip_suffix('"')?))
}

/// The number of the file of `.loc 1 2 3`, and the rest.
fn loc_directive(line: &str) -> Option<(u32, &str)> {
    let (number, at) = line.trim().strip_prefix(".loc\t")?.split_once(' ')?;
    Some((number.parse().ok()?, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_has_a_line() {
        let at = |line| Place { file: "a.src".into(), line, column: 3 };
        let all = [Calls { calls: vec![(at(10), "two".into()), (at(6), "sq".into())], file: "b.h".into() }];
        let text = "\t.loc\t1 9 3\n\tadd\n\t.loc\t2 2 7\n\tmul\n\t.file\t1 \"a.src\"\n\t.file\t2 \"weft inlined 0\"\n";
        let expected = "\t.loc\t1 9 3\n\tadd\n\t.loc\t1 10 3\n\
                        \t.loc\t1 6 3, function_name $L__info_string0, inlined_at 1 10 3\n\
                        \t.loc\t2 2 7, function_name $L__info_string1, inlined_at 1 6 3\n\tmul\n\
                        \t.file\t1 \"a.src\"\n\t.file\t2 \"b.h\"\n\
                        \t.section\t.debug_str\n\t{\n$L__info_string0:\n.b8 116,119,111,0\n\
                        $L__info_string1:\n.b8 115,113,0\n\t}\n";
        assert_eq!(write(text, &all), expected);
        assert_eq!(write(text, &[]), text);
    }
}
