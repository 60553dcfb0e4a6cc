//! Contexts: views of the state that the methods of a pass share, each with the methods of one concern.

/// Declares views of `$core`, each with a field `$field`: its name, the accessor that lends it and, where something
/// only reads, the one that lends it shared.
macro_rules! contexts {
    ($core:ident, $field:ident; $($(#[$doc:meta])* $context:ident, $accessor:ident $(, $shared:ident)?;)*) => {
        $(
            $(#[$doc])*
            #[derive(ref_cast::RefCast)]
            #[repr(transparent)]
            pub(super) struct $context<'a> {
                pub(super) $field: $core<'a>,
            }

            impl<'a> std::ops::Deref for $context<'a> {
                type Target = $core<'a>;

                #[inline(always)]
                fn deref(&self) -> &$core<'a> {
                    &self.$field
                }
            }

            impl<'a> std::ops::DerefMut for $context<'a> {
                #[inline(always)]
                fn deref_mut(&mut self) -> &mut $core<'a> {
                    &mut self.$field
                }
            }
        )*

        impl<'a> $core<'a> {
            $(
                #[inline(always)]
                pub(super) fn $accessor(&mut self) -> &mut $context<'a> {
                    ref_cast::RefCast::ref_cast_mut(self)
                }

                $(
                    #[inline(always)]
                    pub(super) fn $shared(&self) -> &$context<'a> {
                        ref_cast::RefCast::ref_cast(self)
                    }
                )?
            )*
        }
    };
}
