//! What arguments say of packs (C++17 17.8.2.1p1, 17.8.2.5p10).

use super::Templates;
use super::deduction::Deduced;
use crate::ir::{DependentTy, DependentValue, TemplateArg, Ty, TyKind};

impl<'a> Templates<'a> {
    /// Whether arguments make the patterns the types, of which there must be as many if `is_whole`. One of the types may itself be a pack.
    pub(super) fn unify_list(
        &mut self,
        patterns: &[Ty],
        types: &[Ty],
        is_whole: bool,
        deduced: &mut Deduced,
    ) -> bool {
        let mut rest = types;
        for (idx, &pattern) in patterns.iter().enumerate() {
            if let Some(pattern) = self.expanded(pattern) {
                if idx + 1 < patterns.len() {
                    // Nothing is deduced from it.
                    rest = &rest[self.known_len(pattern, deduced).min(rest.len())..];
                    continue;
                }
                let each = |cx: &mut Self, idx: usize, deduced: &mut Deduced| {
                    let ty = cx.expanded(rest[idx]).unwrap_or(rest[idx]);
                    if cx.unify(pattern, ty, deduced) { Ok(()) } else { Err(()) }
                };
                return self.unify_pack(pattern, rest.len(), deduced, each).is_ok();
            }
            let Some((&ty, after)) = rest.split_first() else { return !is_whole };
            if self.expanded(ty).is_some() || !self.unify(pattern, ty, deduced) {
                return false;
            }
            rest = after;
        }
        rest.is_empty() || !is_whole
    }

    /// Deduces from `n` elements of an expansion with `each`, for which the packs of the pattern are single parameters.
    pub(super) fn unify_pack<E>(
        &mut self,
        pattern: Ty,
        n: usize,
        deduced: &mut Deduced,
        mut each: impl FnMut(&mut Self, usize, &mut Deduced) -> Result<(), E>,
    ) -> Result<(), Option<E>> {
        let mut packs = Vec::new();
        self.find_packs(pattern, deduced, &mut packs);
        let elements = |arg: Option<TemplateArg>| match arg {
            Some(TemplateArg::Pack(elements)) => elements,
            _ => Vec::new(),
        };
        let known: Vec<Vec<TemplateArg>> =
            packs.iter().map(|&pack| elements(deduced.args[pack].take())).collect();
        let is_written: Vec<bool> =
            packs.iter().map(|&pack| std::mem::take(&mut deduced.is_written[pack])).collect();
        let mut found = vec![Vec::with_capacity(n); packs.len()];
        let mut result = Ok(());
        for idx in 0..n {
            for (nth, &pack) in packs.iter().enumerate() {
                deduced.args[pack] = known[nth].get(idx).cloned();
                deduced.is_written[pack] = is_written[nth] && idx < known[nth].len();
            }
            result = each(self, idx, deduced).map_err(Some);
            for (nth, &pack) in packs.iter().enumerate() {
                match deduced.args[pack].take() {
                    Some(arg) => found[nth].push(arg),
                    None => result = result.and(Err(None)),
                }
            }
            if result.is_err() {
                break;
            }
        }
        for (nth, (&pack, found)) in packs.iter().zip(found).enumerate() {
            let known = known[nth].clone();
            let has_other_length = !is_written[nth] && deduced.is_deduced[pack] && known.len() != n;
            if result.is_ok() && has_other_length {
                let conflict = (pack, TemplateArg::Pack(known.clone()), TemplateArg::Pack(found.clone()));
                deduced.conflict = deduced.conflict.take().or(Some(conflict));
                result = Err(None);
            }
            // What is written stays where there are fewer arguments.
            let all = if is_written[nth] && known.len() > found.len() { known } else { found };
            deduced.args[pack] = Some(TemplateArg::Pack(all));
            deduced.is_written[pack] = false;
            deduced.is_deduced[pack] = true;
        }
        result
    }

    /// The packs that an expansion of the pattern expands.
    fn find_packs(&self, pattern: Ty, deduced: &Deduced, found: &mut Vec<usize>) {
        let mut add = |idx: u32| {
            let idx = idx as usize;
            if deduced.is_pack[idx] && !found.contains(&idx) {
                found.push(idx);
            }
        };
        let types = &self.module.types;
        match types.kind(pattern) {
            TyKind::Pointer(inner) | TyKind::Reference(inner, _) | TyKind::Array(inner, _) => {
                self.find_packs(*inner, deduced, found);
            }
            TyKind::Func(func) => {
                for &part in func.params.iter().chain([&func.ret]) {
                    self.find_packs(part, deduced, found);
                }
            }
            TyKind::Dependent(_) => match types.dependent(pattern) {
                Some(&DependentTy::Param(idx)) => add(idx),
                Some(DependentTy::Array(elem, len)) => {
                    if let DependentValue::Param(idx) = len {
                        add(*idx);
                    }
                    self.find_packs(*elem, deduced, found);
                }
                Some(DependentTy::Member(of, _)) => self.find_packs(*of, deduced, found),
                Some(
                    DependentTy::Instance(_, args)
                    | DependentTy::ParamInstance(_, args)
                    | DependentTy::MemberInstance(_, _, args),
                ) => {
                    if let Some(DependentTy::MemberInstance(of, ..)) = types.dependent(pattern) {
                        self.find_packs(*of, deduced, found);
                    }
                    for arg in args {
                        match arg {
                            TemplateArg::Type(ty) => self.find_packs(*ty, deduced, found),
                            TemplateArg::Dependent(DependentValue::Param(idx)) => {
                                let idx = *idx as usize;
                                if deduced.is_pack[idx] && !found.contains(&idx) {
                                    found.push(idx);
                                }
                            }
                            TemplateArg::Value(..)
                            | TemplateArg::Address(..)
                            | TemplateArg::Template(_)
                            | TemplateArg::Dependent(_)
                            | TemplateArg::Pack(_) => {}
                        }
                    }
                }
                // An expansion within has packs of its own.
                Some(
                    DependentTy::Expansion(_)
                    | DependentTy::Decltype(_)
                    | DependentTy::Auto
                    | DependentTy::DecltypeAuto,
                )
                | None => {}
            },
            _ => {}
        }
    }

    /// How many elements of the packs in a pattern are written.
    pub(super) fn known_len(&self, pattern: Ty, deduced: &Deduced) -> usize {
        let mut packs = Vec::new();
        self.find_packs(pattern, deduced, &mut packs);
        let len = |&pack: &usize| match &deduced.args[pack] {
            Some(TemplateArg::Pack(elements)) => elements.len(),
            _ => 0,
        };
        packs.iter().map(len).max().unwrap_or(0)
    }
}
