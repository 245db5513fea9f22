//! Functions that read and change the shared state.

use crate::encoding::{ENCODINGS, Encoding, Mode, Substitute, find};
use crate::state::{self, current_language, encoding_argument, find_language, state};
use phlox_runtime::ini::{IniAccess, IniBool};
use phlox_runtime::settings as core;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val, View, Vm};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("mb_language(?string $language = null): string|bool", mb_language),
    FnDef::new("mb_internal_encoding(?string $encoding = null): string|bool", mb_internal_encoding).fast_path(|args| {
        match args {
            [] => Some(state::internal(Vm::current()?).name.into()),
            _ => None,
        }
    }),
    FnDef::new("mb_http_input(?string $type = null): array|string|false", mb_http_input),
    FnDef::new("mb_http_output(?string $encoding = null): string|bool", mb_http_output),
    FnDef::new("mb_detect_order(array|string|null $encoding = null): array|bool", mb_detect_order),
    FnDef::new(
        "mb_substitute_character(string|int|null $substitute_character = null): string|int|bool",
        mb_substitute_character,
    ),
    FnDef::new("mb_preferred_mime_name(string $encoding): string|false", mb_preferred_mime_name),
    FnDef::new("mb_list_encodings(): array", mb_list_encodings),
    FnDef::new("mb_encoding_aliases(string $encoding): array", mb_encoding_aliases),
    FnDef::new("mb_get_info(string $type = \"all\"): array|string|int|false|null", mb_get_info),
];

fn names(encodings: &[&'static Encoding]) -> PhpArr {
    encodings.iter().map(|encoding| Val::from(encoding.name)).collect()
}

/// Whether requests are converted as they arrive. The setting has no effect here.
pub static ENCODING_TRANSLATION: IniBool = IniBool::new("mbstring.encoding_translation", "0", IniAccess::PerDir);

/// Observes the core's settings, and reports wrong values of the configuration.
pub fn startup(vm: &Vm) {
    phlox_runtime::source_encoding::install(vm, crate::source::recode);
    let core = [&core::DEFAULT_CHARSET, &core::INTERNAL_ENCODING, &core::INPUT_ENCODING];
    if core.iter().any(|setting| vm.ini.configured(setting.name).is_some()) {
        // PHP reports them twice: for the extension's own settings, and when it begins to observe the core's.
        let _ = state::complain_about_input(vm, PREFIX).and_then(|()| state::complain_about_internal(vm, PREFIX));
        let _ = state::complain_about_internal(vm, PREFIX).and_then(|()| state::complain_about_input(vm, PREFIX));
    }
    core::hear_of_encodings(vm, state::follow_core);
}

/// The prefix of messages before the script runs.
const PREFIX: &str = "PHP Startup: ";

fn mb_language(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(name) = call.opt_str(0) else { return Ok(current_language(call.vm).name.into()) };
    if find_language(&name).is_none() {
        call.vm.ini.put(&state::LANGUAGE, "neutral".into());
        return Err(call.value_error(0, &format!("must be a valid language, \"{name}\" given")));
    }
    call.vm.ini.put(&state::LANGUAGE, name);
    Ok(Val::TRUE)
}

fn mb_internal_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(name) = call.opt_str(0) else { return Ok(state::internal(call.vm).name.into()) };
    match find(&name) {
        Some(encoding) => {
            state(call.vm).internal.set(Some(encoding));
            Ok(Val::TRUE)
        }
        None => {
            Err(call.value_error(0, &format!("must be a valid encoding, \"{}\" given", crate::state::as_c_text(&name))))
        }
    }
}

fn mb_http_input(call: &mut Call<'_>) -> PhpResult<Val> {
    let kind = call.opt_str(0).map(|text| text.to_ascii_lowercase());
    let list = || match &call.vm.ini.get(&state::HTTP_INPUT)[..] {
        b"pass" => vec![Val::from("pass")],
        _ => state::http_input_list(call.vm).iter().map(|encoding| Val::from(encoding.name)).collect(),
    };
    match kind.as_deref() {
        None | Some(b"s") => {
            let found = state(call.vm).http_input.get();
            Ok(found.map_or(Val::FALSE, |encoding| encoding.name.into()))
        }
        // Requests of the command line have no input.
        Some(b"g" | b"p" | b"c") => Ok(Val::FALSE),
        Some(b"i") => Ok(PhpArr::from_vec(list()).into()),
        Some(b"l") => {
            let names: Vec<String> = list().iter().filter_map(|name| Some(name.as_str()?.to_string())).collect();
            Ok(if names.is_empty() { Val::FALSE } else { names.join(",").into() })
        }
        _ => Err(call.value_error(0, "must be one of \"G\", \"P\", \"C\", \"S\", \"I\", or \"L\"")),
    }
}

fn mb_http_output(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(name) = call.opt_str(0) else {
        return Ok(state::http_output(call.vm).map_or("pass", |encoding| encoding.name).into());
    };
    if name.contains(&0) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    let encoding = if &name[..] == b"pass" { None } else { find(&name) };
    if encoding.is_none() && &name[..] != b"pass" {
        return Err(
            call.value_error(0, &format!("must be a valid encoding, \"{}\" given", crate::state::as_c_text(&name)))
        );
    }
    state(call.vm).http_output.set(Some(encoding));
    Ok(Val::TRUE)
}

fn mb_detect_order(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.is_null(0) {
        return Ok(names(&state::detect_order(call.vm)).into());
    }
    let list = state::list_argument(call, 0)?;
    if list.is_empty() {
        return Err(call.value_error(0, "must specify at least one encoding"));
    }
    *state(call.vm).detect_order.borrow_mut() = Some(list);
    Ok(Val::TRUE)
}

fn describe(substitute: Substitute) -> Val {
    match substitute.mode {
        Mode::None => "none".into(),
        Mode::Long => "long".into(),
        Mode::Entity => "entity".into(),
        Mode::Character => Val::int(substitute.character.into()),
    }
}

fn mb_substitute_character(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(0);
    let character = state::substitute(call.vm).character;
    let chosen = match value.view() {
        View::Null => return Ok(describe(state::substitute(call.vm))),
        View::Str(text) => match &text.to_ascii_lowercase()[..] {
            b"none" => Substitute { mode: Mode::None, character },
            b"long" => Substitute { mode: Mode::Long, character },
            b"entity" => Substitute { mode: Mode::Entity, character },
            _ => {
                let text = "must be \"none\", \"long\", \"entity\" or a valid codepoint";
                return Err(call.value_error(0, text));
            }
        },
        _ => match u32::try_from(call.int(0)).ok().filter(|code| char::from_u32(*code).is_some()) {
            Some(character) => Substitute { mode: Mode::Character, character },
            None => return Err(call.value_error(0, "is not a valid codepoint")),
        },
    };
    state(call.vm).substitute.set(Some(chosen));
    Ok(Val::TRUE)
}

fn valid_name(call: &Call<'_>) -> PhpResult<(&'static Encoding, PhpStr)> {
    let name = call.str(0);
    match find(&name) {
        Some(encoding) => Ok((encoding, name)),
        None => {
            Err(call.value_error(0, &format!("must be a valid encoding, \"{}\" given", crate::state::as_c_text(&name))))
        }
    }
}

fn mb_preferred_mime_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let (encoding, name) = valid_name(call)?;
    if encoding.mime.is_empty() {
        call.warning(&format!("No MIME preferred name corresponding to \"{name}\""))?;
        return Ok(Val::FALSE);
    }
    Ok(encoding.mime.into())
}

fn mb_list_encodings(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(ENCODINGS.iter().map(|encoding| Val::from(encoding.name)).collect::<PhpArr>().into())
}

fn mb_encoding_aliases(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 0)?;
    Ok(encoding.aliases.iter().map(|alias| Val::from(*alias)).collect::<PhpArr>().into())
}

/// One row of `mb_get_info`; `None`: there is no such row.
fn info(vm: &Vm, name: &str) -> Option<Val> {
    let language = current_language(vm);
    let switch = |setting: &'static IniBool| Val::from(if vm.ini.get(setting) { "On" } else { "Off" });
    let mime = |name: &str| find(name.as_bytes()).map_or(Val::NULL, |encoding| encoding.name.into());
    Some(match name {
        "internal_encoding" => state::internal(vm).name.into(),
        "http_input" => state(vm).http_input.get().map_or(Val::NULL, |encoding| encoding.name.into()),
        "http_output" => state::http_output(vm).map_or("pass", |encoding| encoding.name).into(),
        "http_output_conv_mimetypes" => {
            let value = vm.ini.get(&crate::http::OUTPUT_CONV_MIMETYPES);
            if value.is_empty() { Val::NULL } else { value.into() }
        }
        "mail_charset" => mime(language.charset),
        "mail_header_encoding" => mime(language.header),
        "mail_body_encoding" => mime(language.body),
        "illegal_chars" => Val::int(state(vm).illegal_count.get()),
        "encoding_translation" => switch(&ENCODING_TRANSLATION),
        "language" => language.name.into(),
        "detect_order" => names(&state::detect_order(vm)).into(),
        "substitute_character" => describe(state::substitute(vm)),
        "strict_detection" => switch(&state::STRICT_DETECTION),
        _ => return None,
    })
}

const INFO: &[&str] = &[
    "internal_encoding",
    "http_input",
    "http_output",
    "http_output_conv_mimetypes",
    "mail_charset",
    "mail_header_encoding",
    "mail_body_encoding",
    "illegal_chars",
    "encoding_translation",
    "language",
    "detect_order",
    "substitute_character",
    "strict_detection",
];

fn mb_get_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let kind = call.str(0).to_string().to_ascii_lowercase();
    if kind == "all" {
        let mut table = PhpArr::new();
        for name in INFO {
            let value = info(call.vm, name).filter(|value| !value.is_null() || *name != "http_input");
            if let Some(value) = value {
                table.set_bytes(name.as_bytes(), value);
            }
        }
        return Ok(table.into());
    }
    match info(call.vm, &kind) {
        Some(value) => Ok(value),
        None => {
            call.warning("argument #1 ($type) must be a valid type")?;
            Ok(Val::FALSE)
        }
    }
}
