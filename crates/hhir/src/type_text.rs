//! The text form of types: `Int[0,9]|InitNull`, `Obj=#7`, `Arr=Packed<Int>`, `PtrToElem(Int|Dbl)`.

use crate::ids::{ClassId, FuncId, LitId};
use crate::types::*;
use std::fmt;

/// The names of sets of kinds. Larger sets come first, because the printer takes the first one that fits.
pub(crate) const NAMES: &[(&str, Bits)] = &[
    ("Top", TOP),
    ("Gen", GEN),
    ("Cell", CELL),
    ("InitCell", INIT_CELL),
    ("Uncounted", UNCOUNTED),
    ("Counted", COUNTED),
    ("PtrToGen", PTR),
    ("PtrToMemb", PTR_MEMB),
    ("Ctx", CTX),
    ("Null", NULL),
    ("Bool", BOOL),
    ("Str", STR),
    ("Arr", ARR),
    ("Uninit", UNINIT),
    ("InitNull", INIT_NULL),
    ("False", FALSE),
    ("True", TRUE),
    ("Int", INT),
    ("Dbl", DBL),
    ("StaticStr", STATIC_STR),
    ("CountedStr", COUNTED_STR),
    ("StaticArr", STATIC_ARR),
    ("CountedArr", COUNTED_ARR),
    ("Obj", OBJ),
    ("Res", RES),
    ("BoxedCell", BOXED),
    ("FramePtr", FRAME_PTR),
    ("PtrToFrame", PTR_FRAME),
    ("PtrToStk", PTR_STK),
    ("PtrToElem", PTR_ELEM),
    ("PtrToProp", PTR_PROP),
    ("PtrToRef", PTR_REF),
    ("PtrToStatic", PTR_STATIC),
    ("PtrToMIS", PTR_MIS),
    ("Cls", CLS),
    ("Func", FUNC),
    ("Cctx", CCTX),
    ("Nullptr", NULLPTR),
    ("TCA", TCA),
];

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.is_bottom() {
            return f.write_str("Bottom");
        }
        // The kinds that the refinement is about come last, followed by the refinement.
        let refined = self.bits() & self.spec().kinds();
        let plain = self.bits() & !refined;
        write_bits(f, plain)?;
        if refined != 0 {
            if plain != 0 {
                f.write_str("|")?;
            }
            write_bits(f, refined)?;
            write_spec(f, self.spec())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn write_bits(f: &mut fmt::Formatter, mut bits: Bits) -> fmt::Result {
    let mut first = true;
    for &(name, set) in NAMES {
        if bits & set == set {
            if !first {
                f.write_str("|")?;
            }
            f.write_str(name)?;
            first = false;
            bits &= !set;
        }
    }
    Ok(())
}

fn write_spec(f: &mut fmt::Formatter, spec: Spec) -> fmt::Result {
    match spec {
        Spec::None => Ok(()),
        Spec::Range(lo, hi) => {
            f.write_str("[")?;
            if lo != i64::MIN {
                write!(f, "{lo}")?;
            }
            f.write_str(",")?;
            if hi != i64::MAX {
                write!(f, "{hi}")?;
            }
            f.write_str("]")
        }
        Spec::Dbl(bits) => write!(f, "={:?}", f64::from_bits(bits)),
        Spec::Lit(lit) => write!(f, "={lit}"),
        Spec::Arr(kind, elem) => {
            write!(f, "={}", kind.map_or("Any", ArrKind::name))?;
            if elem != GEN {
                f.write_str("<")?;
                write_bits(f, elem)?;
                f.write_str(">")?;
            }
            Ok(())
        }
        Spec::Exact(class) => write!(f, "=#{}", class.0),
        Spec::Sub(class) => write!(f, "<=#{}", class.0),
        Spec::Func(func) => write!(f, "=#{}", func.0),
        Spec::Ptr(cell) => {
            f.write_str("(")?;
            write_bits(f, cell)?;
            f.write_str(")")
        }
    }
}

/// Reads a type at the start of a text, and removes it from the text.
pub(crate) fn parse_type(text: &mut &str) -> Result<Type, String> {
    let mut result = Type::BOTTOM;
    loop {
        let name = word(text);
        let bits = match NAMES.iter().find(|row| row.0 == name) {
            Some(row) => row.1,
            None if name == "Bottom" => BOTTOM,
            None => return Err(format!("`{name}` is no type")),
        };
        let spec = parse_spec(text, bits)?;
        result = Type::with(result.bits() | bits, if spec == Spec::None { result.spec() } else { spec });
        if !eat(text, "|") {
            return Ok(result);
        }
    }
}

fn parse_spec(text: &mut &str, bits: Bits) -> Result<Spec, String> {
    if bits == INT && eat(text, "[") {
        let lo = number(text)?.unwrap_or(i64::MIN);
        expect(text, ",")?;
        let hi = number(text)?.unwrap_or(i64::MAX);
        expect(text, "]")?;
        return Ok(Spec::Range(lo, hi));
    }
    if bits & PTR != 0 && bits & !PTR == 0 && eat(text, "(") {
        let cell = parse_type(text)?;
        expect(text, ")")?;
        return Ok(Spec::Ptr(cell.bits()));
    }
    if eat(text, "<=#") {
        return Ok(Spec::Sub(ClassId(handle(text)?)));
    }
    if !eat(text, "=") {
        return Ok(Spec::None);
    }
    if eat(text, "#") {
        let handle = handle(text)?;
        return Ok(if bits == FUNC { Spec::Func(FuncId(handle)) } else { Spec::Exact(ClassId(handle)) });
    }
    if eat(text, "lit") {
        return Ok(Spec::Lit(LitId(handle(text)? as u32)));
    }
    if bits == DBL {
        let end = text.find(|c: char| !(c.is_alphanumeric() || "+-.".contains(c))).unwrap_or(text.len());
        let (digits, rest) = text.split_at(end);
        *text = rest;
        return digits.parse().map(|value: f64| Spec::Dbl(value.to_bits())).map_err(|error| error.to_string());
    }
    let name = word(text);
    let kind = ArrKind::ALL.into_iter().find(|kind| kind.name() == name);
    if kind.is_none() && name != "Any" {
        return Err(format!("`{name}` is no layout of arrays"));
    }
    let mut elem = GEN;
    if eat(text, "<") {
        elem = parse_type(text)?.bits();
        expect(text, ">")?;
    }
    Ok(Spec::Arr(kind, elem))
}

fn word<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    *text = rest;
    word
}

fn eat(text: &mut &str, what: &str) -> bool {
    match text.strip_prefix(what) {
        Some(rest) => {
            *text = rest;
            true
        }
        None => false,
    }
}

fn expect(text: &mut &str, what: &str) -> Result<(), String> {
    if eat(text, what) { Ok(()) } else { Err(format!("`{what}` expected before `{text}`")) }
}

fn number(text: &mut &str) -> Result<Option<i64>, String> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    if digits.is_empty() {
        return Ok(None);
    }
    digits.parse().map(Some).map_err(|_| format!("`{digits}` is no integer"))
}

fn handle(text: &mut &str) -> Result<u64, String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    digits.parse().map_err(|_| format!("a number expected before `{text}`"))
}
