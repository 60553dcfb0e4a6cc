//! The headers that a text can include: those that ship, and some that are made to be difficult.

use weft_frontend::source::SourceText;
use weft_frontend::{Header, Headers, NotFound, Predefined, Request};
use weft_runtime_shims::{Known, known};

/// Names and texts of the difficult ones.
pub const DIFFICULT: &[(&str, &str)] = &[
    (
        "guarded.h",
        "#ifndef GUARDED_H\n#define GUARDED_H\ntypedef int guarded_t;\n#define GUARDED(x) ((x) + 1)\n#endif\n",
    ),
    ("once.h", "#pragma once\nstruct Once { int a; float b[3]; };\n#include \"guarded.h\"\n"),
    ("self.h", "int self;\n#include \"self.h\"\n"),
    ("ping.h", "#include \"pong.h\"\n#define PING PONG\n"),
    ("pong.h", "#include \"ping.h\"\n#define PONG PING\n"),
    ("open.h", "#if 1\nint open\n"),
    ("brace.h", "__device__ int brace(int a) {\n"),
    ("call.h", "GUARDED("),
    ("comment.h", "/* no end"),
    ("string.inc", "\"no end\n"),
    ("splice.h", "#define SPLICE(a, b) a\\\n##b\nint SPLICE(x, y)\\\n;"),
    ("counter.h", "#define COUNT __COUNTER__\n#line 7 \"other.h\"\n"),
];

/// Answers with the same headers at any time.
pub struct FixedHeaders;

impl Headers for FixedHeaders {
    fn find(&mut self, request: &Request<'_>) -> Result<Header, NotFound> {
        let difficult = DIFFICULT.iter().find(|(name, _)| *name == request.name).map(|&(_, text)| text);
        let text =
            difficult.or_else(|| weft_runtime_shims::header(request.name)).ok_or_else(NotFound::default)?;
        Ok(Header {
            name: request.name.to_owned(),
            path: None,
            identity: request.name.to_owned(),
            text: SourceText::from(text.to_owned()),
            is_system: difficult.is_none(),
            next: 0,
        })
    }

    fn predefined(&mut self, name: &str) -> Option<Predefined> {
        known(name).map(|known| match known {
            Known::Macro(definition) => Predefined::Macro(definition.into()),
            Known::Header(header) => Predefined::Header(header),
        })
    }
}
