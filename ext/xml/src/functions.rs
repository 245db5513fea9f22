//! The functions of the extension.

use crate::messages::MESSAGES;
use crate::parser::{self, Data, Handler, Target, data};
use phlox_runtime::{Call, Level, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Val, View, coerce, convert};
use std::rc::Rc;

fn parser_of(call: &Call<'_>) -> Rc<Data> {
    match call.opt_obj(0) {
        Some(object) => data(&object),
        None => unreachable!("the declaration asks for a parser"),
    }
}

fn make(call: &Call<'_>, separator: Option<&[u8]>) -> PhpResult<Val> {
    let target = match call.opt_str(0) {
        None => Target::Utf8,
        Some(name) if name.is_empty() => Target::Utf8,
        Some(name) => match Target::named(&name) {
            Some(target) => target,
            None => return Err(call.value_error(0, "is not a supported source encoding")),
        },
    };
    let object = call.vm.instantiate(&call.vm.require_class(b"XMLParser")?)?;
    parser::start(&object, separator, target);
    Ok(object.into())
}

/// `xml_parser_create()`.
pub fn xml_parser_create(call: &mut Call<'_>) -> PhpResult<Val> {
    make(call, None)
}

/// `xml_parser_create_ns()`.
pub fn xml_parser_create_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    make(call, Some(&call.str(1)))
}

/// The function that sets each handler, in the order in which PHP checks a new object for their methods.
const SETTERS: [(Handler, &str); 10] = [
    (Handler::Start, "xml_set_element_handler"),
    (Handler::End, "xml_set_element_handler"),
    (Handler::Characters, "xml_set_character_data_handler"),
    (Handler::Instruction, "xml_set_processing_instruction_handler"),
    (Handler::Default, "xml_set_default_handler"),
    (Handler::UnparsedEntity, "xml_set_unparsed_entity_decl_handler"),
    (Handler::Notation, "xml_set_notation_decl_handler"),
    (Handler::ExternalEntity, "xml_set_external_entity_ref_handler"),
    (Handler::StartNamespace, "xml_set_start_namespace_decl_handler"),
    (Handler::EndNamespace, "xml_set_end_namespace_decl_handler"),
];

/// `xml_set_object()`: a second object must have the methods that handlers name.
pub fn xml_set_object(call: &mut Call<'_>) -> PhpResult<Val> {
    let parser = parser_of(call);
    if let Some(object) = call.opt_obj(1).filter(|_| !parser.object.get().is_null()) {
        for (which, setter) in SETTERS {
            let handler = parser.handler(which);
            let View::Str(name) = handler.view() else { continue };
            if is_callable(call, &handler)? || has_method(&object, name) {
                continue;
            }
            let class = phlox_runtime::shown(object.class_name()).into_owned();
            let name = phlox_runtime::shown(name).into_owned();
            let text = format!(
                "cannot safely swap to object of class {class} as method \"{name}\" does not exist, which was set via {setter}()"
            );
            return Err(call.value_error(1, &text));
        }
    }
    parser.object.set(call.arg(1));
    Ok(true.into())
}

fn has_method(object: &PhpObj, name: &[u8]) -> bool {
    object.class().method(&PhpStr::new(&name.to_ascii_lowercase())).is_some()
}

/// Whether a value is null or callable.
fn is_callable(call: &Call<'_>, value: &Val) -> PhpResult<bool> {
    Ok(value.is_null() || call.vm.resolve_callable(value)?.is_ok())
}

fn warn_of_names(call: &Call<'_>) -> PhpResult<()> {
    call.raise(Level::Deprecated, b"Passing non-callable strings is deprecated since 8.4")
}

/// A handler argument. Outside of strict mode, other scalars become strings.
fn argument(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let value = call.arg(index);
    if value.is_null() || call.vm.caller_is_strict() || is_callable(call, &value)? {
        return Ok(value);
    }
    Ok(coerce::weak_string(call.vm, &value)?.map_or(value, Val::from))
}

/// A handler argument: a callable, the name of a method, or null.
fn handler(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let value = argument(call, index)?;
    if is_callable(call, &value)? {
        return Ok(value);
    }
    if value.as_str().is_none() {
        return Err(call.type_error(index, "must be of type callable|string|null"));
    }
    warn_of_names(call)?;
    method_or_callable(call, index, value)
}

/// A handler argument that is callable, or a string that names a method.
fn method_or_callable(call: &Call<'_>, index: usize, value: Val) -> PhpResult<Val> {
    let View::Str(name) = value.view() else { return Ok(value) };
    if is_callable(call, &value)? {
        return Ok(value);
    }
    if name.is_empty() {
        return Ok(Val::NULL);
    }
    let Some(object) = parser_of(call).object.get().into_obj() else {
        return Err(call.value_error(index, "an object must be set via xml_set_object() to be able to lookup method"));
    };
    if !has_method(&object, name) {
        let class = phlox_runtime::shown(object.class_name()).into_owned();
        let name = phlox_runtime::shown(name).into_owned();
        return Err(call.value_error(index, &format!("method {class}::{name}() does not exist")));
    }
    Ok(value)
}

fn set(call: &Call<'_>, which: Handler) -> PhpResult<Val> {
    let handler = handler(call, 1)?;
    parser_of(call).set_handler(which, handler);
    Ok(true.into())
}

/// `xml_set_element_handler()`.
pub fn xml_set_element_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    let [first, second] = [argument(call, 1)?, argument(call, 2)?];
    let callable = [is_callable(call, &first)?, is_callable(call, &second)?];
    if [&first, &second].into_iter().zip(callable).any(|(value, callable)| !callable && value.as_str().is_none()) {
        // PHP names the first argument for an invalid second handler, unless the first is null or a string.
        let blamed = if first.is_null() || first.as_str().is_some() { 2 } else { 1 };
        return Err(call.type_error(blamed, "must be of type callable|string|null"));
    }
    if callable.contains(&false) {
        warn_of_names(call)?;
    }
    let (start, end) = (method_or_callable(call, 1, first)?, method_or_callable(call, 2, second)?);
    let parser = parser_of(call);
    parser.set_handler(Handler::Start, start);
    parser.set_handler(Handler::End, end);
    Ok(true.into())
}

/// `xml_set_character_data_handler()`.
pub fn xml_set_character_data_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, Handler::Characters)
}

/// `xml_set_processing_instruction_handler()`.
pub fn xml_set_processing_instruction_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, Handler::Instruction)
}

/// `xml_set_default_handler()`.
pub fn xml_set_default_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, Handler::Default)
}

/// `xml_set_unparsed_entity_decl_handler()`.
pub fn xml_set_unparsed_entity_decl_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, Handler::UnparsedEntity)
}

/// `xml_set_notation_decl_handler()`.
pub fn xml_set_notation_decl_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, Handler::Notation)
}

/// `xml_set_external_entity_ref_handler()`.
pub fn xml_set_external_entity_ref_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, Handler::ExternalEntity)
}

/// `xml_set_start_namespace_decl_handler()`.
pub fn xml_set_start_namespace_decl_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, Handler::StartNamespace)
}

/// `xml_set_end_namespace_decl_handler()`.
pub fn xml_set_end_namespace_decl_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, Handler::EndNamespace)
}

/// Feeds the parser, and throws what a handler threw.
fn feed(call: &Call<'_>, data: &Data, text: &[u8], last: bool) -> PhpResult<Val> {
    let Some(parser) = data.parser.borrow().clone() else { return Ok(Val::int(0)) };
    parser.set_huge(data.is_huge.get());
    data.is_parsing.set(true);
    let done = parser.parse(text, last);
    data.is_parsing.set(false);
    phlox_ext_libxml::clear();
    call.vm.check_pending()?;
    Ok(Val::int(done.into()))
}

/// `xml_parse()`: gives 1, or 0 after an error.
pub fn xml_parse(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = parser_of(call);
    if data.is_parsing.get() {
        return Err(call.vm.throw_error(b"Parser must not be called recursively"));
    }
    feed(call, &data, &call.str(1), call.bool(2))
}

/// `xml_parse_into_struct()`.
pub fn xml_parse_into_struct(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = parser_of(call);
    if data.is_parsing.get() {
        call.warning("Parser must not be called recursively")?;
        return Ok(false.into());
    }
    let index = if call.was_passed(3) {
        call.assign(3, PhpArr::new().into())?;
        Some(call.reference(3))
    } else {
        None
    };
    call.assign(2, PhpArr::new().into())?;
    data.fill(call.reference(2), index);
    let result = feed(call, &data, &call.str(1), true);
    data.stop_filling();
    result
}

/// `xml_get_error_code()`.
pub fn xml_get_error_code(call: &mut Call<'_>) -> PhpResult<Val> {
    let parser = parser_of(call).parser.borrow().clone();
    Ok(Val::int(parser.map_or(0, |parser| parser.error()).into()))
}

/// `xml_error_string()`.
pub fn xml_error_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let message = usize::try_from(call.int(0) as i32).ok().and_then(|code| MESSAGES.get(code)).unwrap_or(&"Unknown");
    Ok(Val::str(message.as_bytes()))
}

/// `xml_get_current_line_number()`.
pub fn xml_get_current_line_number(call: &mut Call<'_>) -> PhpResult<Val> {
    let parser = parser_of(call).parser.borrow().clone();
    Ok(Val::int(parser.map_or(0, |parser| parser.line()).into()))
}

/// `xml_get_current_column_number()`.
pub fn xml_get_current_column_number(call: &mut Call<'_>) -> PhpResult<Val> {
    let parser = parser_of(call).parser.borrow().clone();
    Ok(Val::int(parser.map_or(0, |parser| parser.column()).into()))
}

/// `xml_get_current_byte_index()`.
pub fn xml_get_current_byte_index(call: &mut Call<'_>) -> PhpResult<Val> {
    let parser = parser_of(call).parser.borrow().clone();
    Ok(Val::int(parser.map_or(0, |parser| parser.byte())))
}

/// `xml_parser_free()`: has no effect, but warns during a parse.
pub fn xml_parser_free(call: &mut Call<'_>) -> PhpResult<Val> {
    if parser_of(call).is_parsing.get() {
        call.warning("Parser cannot be freed while it is parsing")?;
        return Ok(false.into());
    }
    Ok(true.into())
}

const CASE_FOLDING: i64 = 1;
const TARGET_ENCODING: i64 = 2;
const SKIP_TAGSTART: i64 = 3;
const SKIP_WHITE: i64 = 4;
const PARSE_HUGE: i64 = 5;

/// `xml_parser_set_option()`.
pub fn xml_parser_set_option(call: &mut Call<'_>) -> PhpResult<Val> {
    let (data, value) = (parser_of(call), call.arg(2));
    if !matches!(value.view(), View::Bool(_) | View::Int(_) | View::Str(_)) {
        let given = convert::type_or_class_name(&value);
        call.warning(&format!("Argument #3 ($value) must be of type string|int|bool, {given} given"))?;
    }
    match call.int(1) {
        CASE_FOLDING => data.folds_case.set(convert::to_bool(&value)),
        SKIP_WHITE => data.skips_white.set(convert::to_bool(&value)),
        PARSE_HUGE => {
            if data.is_parsing.get() {
                return Err(call.vm.throw_error(b"Cannot change option XML_OPTION_PARSE_HUGE while parsing"));
            }
            data.is_huge.set(convert::to_bool(&value));
        }
        SKIP_TAGSTART => {
            let number = convert::to_int(call.vm, &value)?;
            if i32::try_from(number).map_or(true, |number| number < 0) {
                let most = i32::MAX;
                let tail = "for option XML_OPTION_SKIP_TAGSTART";
                call.warning(&format!("Argument #3 ($value) must be between 0 and {most} {tail}"))?;
                return Ok(false.into());
            }
            data.skips_start.set(number);
        }
        TARGET_ENCODING => match Target::named(&convert::to_str(call.vm, &value)?) {
            Some(target) => data.target.set(target),
            None => return Err(call.value_error(2, "is not a supported target encoding")),
        },
        _ => return Err(call.value_error(1, "must be a XML_OPTION_* constant")),
    }
    Ok(true.into())
}

/// `xml_parser_get_option()`.
pub fn xml_parser_get_option(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = parser_of(call);
    Ok(match call.int(1) {
        CASE_FOLDING => data.folds_case.get().into(),
        SKIP_TAGSTART => Val::int(data.skips_start.get()),
        SKIP_WHITE => data.skips_white.get().into(),
        PARSE_HUGE => data.is_huge.get().into(),
        TARGET_ENCODING => Val::str(data.target.get().name().as_bytes()),
        _ => return Err(call.value_error(1, "must be a XML_OPTION_* constant")),
    })
}
