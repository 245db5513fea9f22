//! The `tokenizer` extension: the lexer of `phlox-syntax`, as PHP shows its own.
#![forbid(unsafe_code)]

mod kinds;

use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, ClassExt, Extension, FnDef, NativeClass, PhpArr, PhpResult, Thrown, Val, View, throwable};
use phlox_syntax::ParseOptions;
use phlox_syntax::diagnostic::Severity;
use phlox_syntax::token::{Token, TokenKind, tokenize};

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("token_get_all(string $code, int $flags = 0): array", token_get_all),
    FnDef::new("token_name(int $id): string", token_name),
];

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "PhpToken",
    decl: include_str!("../stubs/PhpToken.stub.php"),
    methods: &[
        ("tokenize", php_token_tokenize),
        ("__construct", construct),
        ("is", is),
        ("isIgnorable", is_ignorable),
        ("getTokenName", get_token_name),
        ("__toString", to_string),
    ],
    hooks: NativeHooks::NONE,
}];

pub static EXTENSION: Extension = Extension {
    name: "tokenizer",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[kinds::CONSTANTS],
    ini: &[],
    startup: None,
    shutdown: None,
};

const PARSE: i64 = 1;

/// A token with its number in PHP.
struct Numbered {
    id: i64,
    start: usize,
    end: usize,
    line: i64,
}

/// Throws if the code is no program.
fn check(call: &Call<'_>, code: &[u8], short_open_tag: bool) -> PhpResult<()> {
    let arena = bumpalo::Bump::new();
    let options = ParseOptions { short_open_tag, ..ParseOptions::default() };
    let parsed = phlox_syntax::parse(&arena, code, &options);
    let Some(error) = parsed.diagnostics.iter().find(|diagnostic| diagnostic.severity.is_error()) else {
        return Ok(());
    };
    let thrown = if error.severity == Severity::ParseError { Thrown::ParseError } else { Thrown::CompileError };
    let object = call.vm.make_throwable(thrown.class_name(), &error.message, 0)?;
    let (file, _) = throwable::position(&object);
    throwable::set_position(&object, &file, error.span.line);
    Err(phlox_runtime::Throw::Exception(object))
}

fn tokens(call: &Call<'_>) -> PhpResult<Vec<Numbered>> {
    let code = call.str(0);
    let short_open_tag = call.vm.ini.get(&phlox_runtime::settings::SHORT_OPEN_TAG);
    let parses = call.int(1) & PARSE != 0;
    if parses {
        check(call, &code, short_open_tag)?;
    }
    let found = tokenize(&code, short_open_tag);
    let mut numbered = Vec::with_capacity(found.len());
    let mut meaningful: Vec<&Token> = Vec::new();
    let is_trivia = |token: &Token| {
        let name = token.kind.info().php_name;
        matches!(name, "T_WHITESPACE" | "T_COMMENT" | "T_DOC_COMMENT")
    };
    for (index, token) in found.iter().enumerate().filter(|(_, token)| token.kind != TokenKind::End) {
        let text = &code[token.start as usize..token.end as usize];
        let mut id = kinds::id(token.kind, text);
        if parses && !is_trivia(token) {
            let after = found[index + 1..].iter().find(|token| !is_trivia(token)).map(|token| token.kind);
            if kinds::is_name_here(token, &meaningful, after) {
                id = kinds::string_id();
            }
            meaningful.push(token);
        }
        numbered.push(Numbered { id, start: token.start as usize, end: token.end as usize, line: token.line as i64 });
    }
    Ok(numbered)
}

fn token_get_all(call: &mut Call<'_>) -> PhpResult<Val> {
    let code = call.str(0);
    let mut list = PhpArr::new();
    for token in tokens(call)? {
        let text = Val::from(&code[token.start..token.end]);
        let entry = match token.id {
            0..256 => text,
            id => PhpArr::from_vec(vec![Val::int(id), text, Val::int(token.line)]).into(),
        };
        let _ = list.push(entry);
    }
    Ok(list.into())
}

fn token_name(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(kinds::name(call.int(0)).unwrap_or("UNKNOWN").into())
}

fn php_token_tokenize(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = match call.static_class.cloned() {
        Some(class) => class,
        None => call.vm.require_class(b"PhpToken")?,
    };
    if class.class().is_abstract() {
        let text = format!("Cannot instantiate abstract class {}", class.class().name);
        return Err(call.vm.throw_error(text.as_bytes()));
    }
    let code = call.str(0);
    let mut list = PhpArr::new();
    for token in tokens(call)? {
        let object = call.vm.instantiate(&class)?;
        let values = [
            Val::int(token.id),
            (&code[token.start..token.end]).into(),
            Val::int(token.line),
            Val::int(token.start as i64),
        ];
        for (slot, value) in object.slots().iter().zip(values) {
            slot.set(value);
        }
        let _ = list.push(object.into());
    }
    Ok(list.into())
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let slots = call.this().slots();
    for index in 0..4 {
        slots[index].set(call.arg(index));
    }
    Ok(Val::NULL)
}

/// A property that must have been set.
fn property(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let slot = &call.this().slots()[index];
    if slot.is_undef() {
        let name = ["id", "text"][index];
        let text = format!("Typed property PhpToken::${name} must not be accessed before initialization");
        return Err(call.vm.throw_error(text.as_bytes()));
    }
    Ok(slot.get_deref())
}

/// Is the token of a kind by number or text? `None`: the kind is neither.
fn matches_kind(call: &Call<'_>, kind: &Val) -> PhpResult<Option<bool>> {
    Ok(match kind.view() {
        View::Int(id) => Some(property(call, 0)?.as_int() == Some(id)),
        View::Str(text) => Some(property(call, 1)?.as_str() == Some(text)),
        _ => None,
    })
}

fn is(call: &mut Call<'_>) -> PhpResult<Val> {
    let kind = call.arg(0);
    if let View::Arr(kinds) = kind.view() {
        for kind in kinds.values() {
            match matches_kind(call, &kind.deref())? {
                Some(true) => return Ok(Val::TRUE),
                Some(false) => {}
                None => {
                    let given = phlox_runtime::convert::value_name(&kind.deref());
                    let text = format!("must only have elements of type string|int, {given} given");
                    return Err(call.type_error(0, &text));
                }
            }
        }
        return Ok(Val::FALSE);
    }
    match matches_kind(call, &kind)? {
        Some(found) => Ok(found.into()),
        None => {
            let given = phlox_runtime::convert::value_name(&kind);
            Err(call.type_error(0, &format!("must be of type string|int|array, {given} given")))
        }
    }
}

fn is_ignorable(call: &mut Call<'_>) -> PhpResult<Val> {
    let id = property(call, 0)?.as_int().unwrap_or(0);
    Ok(kinds::is_ignorable(id).into())
}

fn get_token_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let id = property(call, 0)?.as_int().unwrap_or(0);
    // Numbers below those of tokens are characters, also those below zero.
    Ok(match id <= i64::from(u8::MAX) {
        true => Val::from(&[id as u8][..]),
        false => kinds::name(id).map_or(Val::NULL, Val::from),
    })
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    property(call, 1)
}
