//! Member functions (C++17 12.2.1): their bodies are read where the class around them is complete, with its names known (C++17 6.3.7).

use smallvec::SmallVec;

use thin_vec::ThinVec;

use super::SpecsOf;
use crate::ast::{
    Access, BaseSpec, ChunkKind, ClassId, DeclSpecs, Declarator, Member, MemberInit, Method,
    MethodDefinition, MethodId, MethodText, Name, Special, StmtId, Storage,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::parse::height::Bounded;
use crate::parse::name::scope::{Meaning, PackLen};
use crate::parse::{Parsed, Types};
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, TokenKind};

/// What is remembered of member functions.
#[derive(Default)]
pub(super) struct MethodFacts {
    /// The structs and unions that are being read, from the outside in: those that have names.
    open: SmallVec<[ClassId; 2]>,
    /// How many there are with those that have none.
    n_open: usize,
    waiting: Vec<WaitingBody>,
    /// Those of the declaration that is read, after the first.
    more: Vec<Member>,
    /// The classes that a qualified declarator has opened.
    opened: SmallVec<[ClassId; 2]>,
    /// A member of a class that is complete is read, which is the device's.
    reads_one: bool,
}

/// The body of a member function that is still to be read.
struct WaitingBody {
    id: MethodId,
    /// The token of its `{`, or of the `:` before member initializers.
    start: usize,
    params: SmallVec<[Symbol; 4]>,
    packs: Vec<(Symbol, Option<u32>)>,
    /// The classes around it, from the outside in.
    classes: SmallVec<[ClassId; 2]>,
}

impl Types<'_> {
    /// Whether the members of a struct or union are being read.
    pub(super) fn is_in_record(&self) -> bool {
        self.type_facts.methods.n_open > 0
    }

    /// Enters the members of a struct or union.
    pub(super) fn enter_record(&mut self, tag: Option<Name>, bases: &[BaseSpec]) -> Option<ClassId> {
        self.type_facts.methods.n_open += 1;
        let outer = self.type_facts.methods.open.last().copied();
        let tag = tag?;
        for base in bases {
            self.parser.note_heir_of(tag.symbol, &base.ty.specs.ty);
        }
        let bases = bases.iter().filter_map(|base| self.names_ref().class_of(&base.ty.specs.ty)).collect();
        let class = self.scopes.enter_class(tag.symbol, outer, bases);
        self.type_facts.methods.open.push(class);
        Some(class)
    }

    /// The structs and unions that are being read, from the outside in.
    pub(in crate::parse) fn open_classes_here(&self) -> SmallVec<[ClassId; 2]> {
        self.type_facts.methods.open.clone()
    }

    /// Notes the classes around what is read, from the outside in.
    pub(in crate::parse) fn set_open_classes(&mut self, classes: &[ClassId]) {
        self.type_facts.methods.open = classes.into();
    }

    /// Whether members of the host alone are skipped here.
    pub(super) fn skips_host_members(&self) -> bool {
        self.dialect.host_code.is_skipped() && !self.type_facts.methods.reads_one
    }

    /// Reads a member of a class that is complete, whose scope is open.
    pub(in crate::parse) fn one_member(&mut self, class: Name) -> Parsed<Option<Member>> {
        self.type_facts.methods.n_open += 1;
        self.type_facts.methods.reads_one = true;
        let member = self.member(Some(class));
        self.type_facts.methods.n_open -= 1;
        self.read_bodies();
        member
    }

    /// Leaves them. The bodies of member functions follow where no struct is around any more.
    pub(super) fn leave_record(&mut self, tag: Option<Name>, members: Option<&[Member]>) {
        self.type_facts.methods.n_open -= 1;
        if tag.is_some()
            && let Some(class) = self.type_facts.methods.open.pop()
        {
            self.scopes.leave_class(class);
            for member in members.unwrap_or_default() {
                let (specs, names): (_, SmallVec<[Name; 1]>) = match member {
                    Member::Data(data) => {
                        let names = data.declarators.iter().filter_map(|member| member.declarator.name);
                        (&data.specs, names.collect())
                    }
                    Member::Method(id) if self.unit.methods[*id].specs.friend.is_some() => continue,
                    // The scope of the class has its name.
                    Member::Template(_)
                    | Member::FriendTemplate(_)
                    | Member::Using(..)
                    | Member::Assertion(_) => continue,
                    Member::Method(id) => {
                        let method = &self.unit.methods[*id];
                        let name = method.declarator.name.filter(|_| method.specs.special.is_none());
                        (&method.specs, name.into_iter().collect())
                    }
                };
                let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
                let meaning = if is_typedef { Meaning::Type } else { Meaning::Ordinary };
                names.iter().for_each(|name| self.parser.scopes.add_member(class, name.symbol, meaning));
            }
        }
        if !self.is_in_record() {
            self.read_bodies();
        }
    }

    /// `member-functions = declaration-specifiers declarator (block | ("," declarator)* ";")`, after the first declarator. `start` is the
    /// first token of the specifiers, which are read again for each other declarator.
    pub(super) fn methods(
        &mut self,
        access: Access,
        start: usize,
        specs: DeclSpecs,
        declarator: Declarator,
    ) -> Parsed<Member> {
        let stands_alone = specs.special.is_some() || specs.ty.is_definition();
        let first = self.method(access, specs, declarator)?;
        while self.is(Punct::Comma) {
            let comma = self.span();
            if stands_alone {
                return Err(self.several_methods(comma));
            }
            self.bump();
            let next = self.pos;
            self.go_to(start);
            let specs = self.decl_specs(SpecsOf::Member)?;
            self.go_to(next);
            let declarator = self.declarator()?;
            if !declarator.is_function() {
                return Err(self.several_methods(comma));
            }
            let member = self.method(access, specs, declarator)?;
            self.type_facts.methods.more.push(member);
        }
        Ok(first)
    }

    /// The other member functions that a declaration has.
    pub(super) fn more_methods(&mut self) -> Vec<Member> {
        std::mem::take(&mut self.type_facts.methods.more)
    }

    /// One of them. The body is passed over here.
    fn method(&mut self, access: Access, specs: DeclSpecs, declarator: Declarator) -> Parsed<Member> {
        let definition = self.method_definition(specs.special)?;
        let is_defined = definition == MethodDefinition::Body;
        let (params, packs) = match declarator.chunks.first().map(|chunk| &chunk.kind) {
            Some(ChunkKind::Function(function)) if is_defined => {
                let names = function.params.iter().filter_map(|param| param.declarator.name);
                let packs = function.packs.iter().map(|&(name, len)| (name.symbol, len));
                (names.map(|name| name.symbol).collect(), packs.collect())
            }
            _ => (SmallVec::new(), Vec::new()),
        };
        if let (Some(&class), Some(name)) = (self.type_facts.methods.open.last(), declarator.name)
            && specs.friend.is_none()
            && !self.declarations_ref().is_of_host(&specs, &declarator)
        {
            self.scopes.add_device_method(class, name.symbol);
        }
        let inits = ThinVec::new();
        let method = Method { access, specs, declarator, definition, inits, body: None, text: None };
        let id = self.unit.methods.push(method);
        if is_defined {
            let (start, classes) = (self.pos, self.type_facts.methods.open.clone());
            self.type_facts.methods.waiting.push(WaitingBody { id, start, params, packs, classes });
            self.skip_member_initializers();
            self.skip_balanced();
        } else if !self.is(Punct::Comma) {
            self.expect_semi();
        }
        Ok(Member::Method(id))
    }

    /// `["=" ("default" | "delete")]`, before the `;` or the body.
    fn method_definition(&mut self, special: Option<Special>) -> Parsed<MethodDefinition> {
        let has_inits = special == Some(Special::Constructor) && self.is(Punct::Colon);
        if self.is(Punct::LBrace) || has_inits {
            return Ok(MethodDefinition::Body);
        }
        if self.is_keyword(Keyword::Try) {
            let message = "exceptions are not supported";
            return Err(self.parser.refuse(Code::UnsupportedException, self.span(), message));
        }
        if !self.is(Punct::Eq) {
            return Ok(MethodDefinition::Elsewhere);
        }
        let definition = match self.kind_at(1) {
            TokenKind::Keyword(Keyword::Default) => MethodDefinition::Default,
            TokenKind::Keyword(Keyword::Delete) => MethodDefinition::Delete,
            _ => {
                let message = "virtual functions are not supported";
                return Err(self.parser.refuse(Code::UnsupportedMember, self.span(), message));
            }
        };
        self.bump();
        Ok(definition(self.bump().span))
    }

    /// Refuses a member function that shares its specifiers with data members, or with a type that they define.
    pub(super) fn several_methods(&mut self, span: Span) -> Reported {
        let message = "a member function beside others in one declaration is not supported";
        let diagnostic =
            Diagnostic::new(Code::UnsupportedMember, span, message).with_help("declare each by itself");
        self.sink.error(diagnostic)
    }

    /// Enters the classes whose member a qualified declarator declares, for what follows its name (C++17 6.3.7p1).
    pub(in crate::parse) fn open_classes(&mut self, classes: &[ClassId]) {
        self.type_facts.methods.opened.extend_from_slice(classes);
        classes.iter().for_each(|&class| self.scopes.enter_members(class));
    }

    /// Whether the class whose member is declared has declared a function of the name for the device.
    pub(in crate::parse) fn is_device_method(&self, symbol: Symbol) -> bool {
        let class = self.type_facts.methods.opened.last();
        class.is_some_and(|&class| self.scopes.has_device_method(class, symbol))
    }

    /// Leaves them, after the declaration.
    pub(in crate::parse) fn close_classes(&mut self) {
        for _ in std::mem::take(&mut self.type_facts.methods.opened) {
            self.scopes.leave();
        }
    }

    /// Reads the bodies that were passed over.
    fn read_bodies(&mut self) {
        let waiting = std::mem::take(&mut self.type_facts.methods.waiting);
        if waiting.is_empty() {
            return;
        }
        if self.keeps_bodies {
            return waiting.into_iter().for_each(|body| self.keep_body(body));
        }
        let (end, body_open) = (self.pos, self.body_open);
        let mut classes: &[ClassId] = &[];
        for body in &waiting {
            if body.classes[..] != *classes {
                classes.iter().for_each(|_| self.scopes.leave());
                classes = &body.classes;
                classes.iter().for_each(|&class| self.scopes.enter_members(class));
            }
            self.go_to(body.start);
            if let Ok((inits, stmt)) = self.method_body(&body.params, &body.packs) {
                let method = &mut self.unit.methods[body.id];
                (method.inits, method.body) = (inits, Some(stmt));
            }
        }
        classes.iter().for_each(|_| self.scopes.leave());
        self.body_open = body_open;
        self.go_to(end);
    }

    /// The body of a member function with its member initializers, in the scope of its class.
    fn method_body(
        &mut self,
        params: &[Symbol],
        packs: &[(Symbol, Option<u32>)],
    ) -> Parsed<(ThinVec<MemberInit>, StmtId)> {
        self.scopes.enter();
        for &param in params {
            self.scopes.declare(param, Meaning::Ordinary);
        }
        for &(pack, len) in packs {
            self.scopes.declare_pack(pack, false, PackLen::of(len));
        }
        let read = self.nested(|p| {
            let inits = p.member_initializers()?;
            Ok((inits, p.statements().function_body()?))
        });
        self.scopes.leave();
        read
    }

    /// The body of a lambda expression.
    pub(in crate::parse) fn lambda_body(
        &mut self,
        params: SmallVec<[Symbol; 4]>,
        packs: Vec<(Symbol, Option<u32>)>,
    ) -> Parsed<StmtId> {
        let body_open = self.body_open;
        let body = self.method_body(&params, &packs);
        self.body_open = body_open;
        body.map(|(_, body)| body)
    }

    /// Keeps the tokens of a body for when something needs it.
    fn keep_body(&mut self, body: WaitingBody) {
        let WaitingBody { id, start, params, packs, classes } = body;
        let after = self.pos;
        self.go_to(start);
        self.skip_member_initializers();
        let end = self.matching(self.pos).unwrap_or(self.pos + 1);
        self.go_to(after);
        let tokens = self.templates().kept_tokens(start..end);
        self.unit.methods[id].text = Some(Box::new(MethodText { tokens, params, packs, classes }));
    }

    /// The body of a member function of an instance, which the tokens are.
    pub(in crate::parse) fn kept_body(&mut self, text: &MethodText) -> Parsed<(ThinVec<MemberInit>, StmtId)> {
        text.classes.iter().for_each(|&class| self.scopes.enter_members(class));
        let read = self.method_body(&text.params, &text.packs);
        text.classes.iter().for_each(|_| self.scopes.leave());
        read
    }
}
