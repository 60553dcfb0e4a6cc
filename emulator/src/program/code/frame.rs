//! Variables in the frames of functions.

use crate::memory::error::Extent;
use crate::memory::layout::Layout;

/// A variable in a frame, or several that nothing tells apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameVariable {
    /// For messages.
    pub(crate) name: String,
    /// Where it begins in the frame.
    pub(crate) start: u64,
    /// In bytes.
    pub(crate) size: u64,
    pub(crate) layout: Option<Layout>,
}

impl FrameVariable {
    /// Whether an offset in the frame is in it.
    pub(crate) fn holds(&self, offset: u64) -> bool {
        (self.start..self.start + self.size).contains(&offset)
    }

    /// For messages: where it is if the frame begins at `base`.
    pub(crate) fn extent(&self, base: u64) -> Extent {
        Extent { start: base.wrapping_add(self.start), len: self.size, name: Some(self.name.clone()) }
    }

    /// For messages: the element that so many bytes after its beginning are in.
    pub(crate) fn element(&self, offset: i64) -> Option<String> {
        let (path, _) = self.layout.as_ref()?.path(offset);
        let name = self.name.trim_matches('`');
        (!path.is_empty()).then(|| format!("{name}{path}"))
    }
}
