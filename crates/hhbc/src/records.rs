//! The fields of every metadata structure, listed once for the binary and the text form.
//!
//! Both forms take the structures apart with exhaustive patterns, so a field added in [`crate::unit`] and not here does
//! not compile. `field as Form` names a separate form for a field whose type alone does not determine how it is written.
//! The text form shows the fields under `rest` as code, labels or directives instead.

/// Expands `$callback! { rows }` over all structures.
macro_rules! for_each_record {
    ($callback:ident) => {
        $callback! {
            TypeConstraint { display, mask as Mask, classes };
            Param { name, ty, by_ref, variadic, promoted, default, default_text, attributes };
            Notice { level, line, message };
            Attribute { name, line, args, strict_types };
            AttributeArg { name, value, text };
            ClassDef {
                name, kind, attrs, parent, interfaces, traits, trait_rules, enum_type, constants, properties,
                methods, attributes, doc_comment, line_start, line_end
            };
            ConstDef { name, attrs, ty, value, doc_comment, attributes, line };
            PropDef { name, attrs, ty, default, get_hook, set_hook, doc_comment, attributes, line };
            Func {
                name, flags, class, params, return_type, locals, num_iters, max_stack, statics, captures,
                doc_comment, attributes, line_start, line_end
            } rest { body };
        }
    };
}

pub(crate) use for_each_record;
