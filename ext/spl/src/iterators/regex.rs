//! RegexIterator: elements that match a regular expression, or the matches in them.

use super::filter::has_children;
use super::outer::{Extra, construct, outer};
use super::{Methods, not_constructed};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Kind, NativeClass, PhpRef, PhpResult, PhpStr, Throw, Val, Vm, convert};
use std::cell::Cell;

const USE_KEY: i64 = 1;
const INVERT_MATCH: i64 = 2;

const MATCH: i64 = 0;
const GET_MATCH: i64 = 1;
const ALL_MATCHES: i64 = 2;
const SPLIT: i64 = 3;
const REPLACE: i64 = 4;

const ONE_MODE: &str = "must be RegexIterator::MATCH, RegexIterator::GET_MATCH, \
     RegexIterator::ALL_MATCHES, RegexIterator::SPLIT, or RegexIterator::REPLACE";

const METHODS: Methods = &[
    ("__construct", construct_regex),
    ("accept", accept),
    ("getMode", |call| Ok(Val::int(matcher(call)?.mode.get()))),
    ("setMode", set_mode),
    ("getFlags", |call| Ok(Val::int(matcher(call)?.flags.get()))),
    ("setFlags", |call| {
        matcher(call)?.flags.set(call.int(0));
        Ok(Val::NULL)
    }),
    ("getRegex", |call| Ok((&matcher(call)?.regex).into())),
    ("getPregFlags", |call| Ok(Val::int(matcher(call)?.preg_flags.get()))),
    ("setPregFlags", |call| {
        matcher(call)?.preg_flags.set(call.int(0));
        Ok(Val::NULL)
    }),
];

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "RegexIterator",
        decl: include_str!("../../stubs/RegexIterator.stub.php"),
        methods: METHODS,
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "RecursiveRegexIterator",
        decl: include_str!("../../stubs/RecursiveRegexIterator.stub.php"),
        methods: &[
            ("__construct", construct_regex),
            ("accept", accept_recursive),
            ("hasChildren", has_children),
            ("getChildren", get_children),
        ],
        hooks: NativeHooks::NONE,
    },
];

/// The data of a RegexIterator.
pub struct Matcher {
    regex: PhpStr,
    mode: Cell<i64>,
    flags: Cell<i64>,
    preg_flags: Cell<i64>,
}

fn matcher<'a>(call: &'a Call<'_>) -> PhpResult<&'a Matcher> {
    match outer(call)?.extra.get() {
        Some(Extra::Regex(matcher)) => Ok(matcher),
        _ => Err(not_constructed(call.vm)),
    }
}

fn construct_regex(call: &mut Call<'_>) -> PhpResult<Val> {
    super::outer::check_unconstructed(call)?;
    let mode = call.int(2);
    if !(MATCH..=REPLACE).contains(&mode) {
        return Err(call.value_error(2, ONE_MODE));
    }
    check_pattern(call, &call.str(1))?;
    let matcher = Matcher {
        regex: call.str(1),
        mode: Cell::new(mode),
        flags: Cell::new(call.int(3)),
        preg_flags: Cell::new(call.int(4)),
    };
    construct(call, Extra::Regex(matcher))
}

/// The constructor throws for a pattern about which `preg_match` warns.
fn check_pattern(call: &Call<'_>, pattern: &PhpStr) -> PhpResult<()> {
    let compiled = crate::file::promoting(call.vm, EXCEPTION, || {
        preg(call.vm, "preg_match", vec![pattern.into(), PhpStr::empty().into()])
    });
    let Err(Throw::Exception(thrown)) = &compiled else { return compiled.map(drop) };
    let message = phlox_runtime::throwable::message(thrown);
    let reason = message.strip_prefix(b"preg_match(): ").unwrap_or(&message);
    let text = [&call.func.display_name()[..], b"(): ", reason].concat();
    Err(call.vm.throw_class(EXCEPTION, &text, 0))
}

const EXCEPTION: &[u8] = b"InvalidArgumentException";

fn set_mode(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = call.int(0);
    if !(MATCH..=REPLACE).contains(&mode) {
        return Err(call.value_error(0, ONE_MODE));
    }
    matcher(call)?.mode.set(mode);
    Ok(Val::NULL)
}

/// Calls a function of the extension pcre.
fn preg(vm: &Vm, name: &str, args: Vec<Val>) -> PhpResult<Val> {
    Ok(vm.call_value(&name.into(), args)?.into_deref())
}

fn accept(call: &mut Call<'_>) -> PhpResult<Val> {
    let (outer, matcher, vm) = (outer(call)?, matcher(call)?, call.vm);
    if !outer.has_element() {
        return Ok(Val::FALSE);
    }
    let use_key = matcher.flags.get() & USE_KEY != 0;
    let source = if use_key { outer.key.get_deref() } else { outer.data.get_deref() };
    if !use_key && source.kind() == Kind::Arr {
        return Ok(Val::FALSE);
    }
    let subject: Val = convert::to_str(vm, &source)?.into();
    let regex: Val = (&matcher.regex).into();
    let preg_flags = Val::int(matcher.preg_flags.get());
    let mut accepted = match matcher.mode.get() {
        GET_MATCH | ALL_MATCHES => {
            let function = if matcher.mode.get() == GET_MATCH { "preg_match" } else { "preg_match_all" };
            let matches = PhpRef::new(Val::NULL);
            let args = vec![regex, subject, matches.clone().into(), preg_flags];
            let count = call_with_reference(vm, function, args)?;
            outer.data.set(matches.get());
            count.as_int().is_some_and(|count| count > 0)
        }
        SPLIT => {
            let parts = preg(vm, "preg_split", vec![regex, subject, Val::int(-1), preg_flags])?;
            let count = parts.as_arr().map_or(0, |parts| parts.len());
            outer.data.set(parts);
            count > 1
        }
        REPLACE => {
            let this = call.this().clone();
            let access = phlox_runtime::Access { scope: None, strict: false };
            let replacement = phlox_runtime::props::read(
                vm,
                &this,
                &PhpStr::intern(b"replacement"),
                access,
                phlox_runtime::props::ReadMode::Quiet,
            )?;
            let replacement = convert::to_str(vm, &replacement)?;
            let count = PhpRef::new(Val::NULL);
            let args = vec![regex, replacement.into(), subject, Val::int(-1), count.clone().into()];
            let result = call_with_reference(vm, "preg_replace", args)?;
            if result.as_str().is_none() {
                return Ok(Val::FALSE);
            }
            if use_key {
                outer.key.set(result)
            } else {
                outer.data.set(result)
            }
            count.get().as_int().is_some_and(|count| count > 0)
        }
        _ => preg(vm, "preg_match", vec![regex, subject])?.as_int().is_some_and(|count| count > 0),
    };
    if matcher.flags.get() & INVERT_MATCH != 0 {
        accepted = !accepted;
    }
    Ok(accepted.into())
}

/// Calls a function with arguments that are references already.
fn call_with_reference(vm: &Vm, name: &str, args: Vec<Val>) -> PhpResult<Val> {
    let callee = vm.require_callable(&name.into())?;
    Ok(vm.call_prepared(callee, args.into())?.into_deref())
}

/// Accepts an element with children unless it is an empty array, and other elements by the expression.
fn accept_recursive(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    match outer.data.get_deref().as_arr() {
        _ if !outer.has_element() => Ok(Val::FALSE),
        Some(array) => Ok((!array.is_empty()).into()),
        None => accept(call),
    }
}

fn get_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let children = super::outer::forward(call, b"getchildren")?;
    let matcher = matcher(call)?;
    let args = vec![
        children,
        (&matcher.regex).into(),
        Val::int(matcher.mode.get()),
        Val::int(matcher.flags.get()),
        Val::int(matcher.preg_flags.get()),
    ];
    let class = call.this().class_header().clone();
    Ok(call.vm.new_object(&class, args)?.into())
}
