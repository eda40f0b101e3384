//! Setters for option structs. The structs are `#[non_exhaustive]`, so code outside this crate cannot write them as literals.

/// Generates a setter for each field, named after the field: it takes the options, sets the field and returns them.
/// Setters listed after `into` take anything that converts into the field's type, usually a `T` for an `Option<T>`.
macro_rules! setters {
    (
        $options:ident $(<$life:lifetime>)?
        { $($field:ident : $type:ty),* $(,)? }
        $(into { $($wide:ident : $target:ty),* $(,)? })?
    ) => {
        impl $(<$life>)? $options $(<$life>)? {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, value: $type) -> Self {
                    self.$field = value;
                    self
                }
            )*
            $($(
                #[doc = concat!("Sets [`", stringify!($wide), "`](Self#structfield.", stringify!($wide), ").")]
                #[must_use]
                pub fn $wide(mut self, value: impl Into<$target>) -> Self {
                    self.$wide = value.into();
                    self
                }
            )*)?
        }
    };
}

pub(crate) use setters;
