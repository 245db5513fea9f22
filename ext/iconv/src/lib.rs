//! The `iconv` extension, on the encodings of `mbstring`.
#![forbid(unsafe_code)]

mod charset;
mod filter;
mod mime;
mod mime_words;
mod transliteration;

use charset::{check_length, report, report_names};
use phlox_ext_standard_file::stream::filter::NativeFilters;
use phlox_runtime::ini::{IniAccess, IniDef, IniStage, IniString};
use phlox_runtime::ob;
use phlox_runtime::settings;
use phlox_runtime::{Call, ConstValue, Extension, FnDef, PhpArr, PhpResult, PhpStr, Val, Vm};

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("iconv_strlen(string $string, ?string $encoding = null): int|false", iconv_strlen),
    FnDef::new(
        "iconv_substr(string $string, int $offset, ?int $length = null, ?string $encoding = null): string|false",
        iconv_substr,
    ),
    FnDef::new(
        "iconv_strpos(string $haystack, string $needle, int $offset = 0, ?string $encoding = null): int|false",
        iconv_strpos,
    ),
    FnDef::new("iconv_strrpos(string $haystack, string $needle, ?string $encoding = null): int|false", iconv_strrpos),
    FnDef::new("iconv(string $from_encoding, string $to_encoding, string $string): string|false", iconv),
    FnDef::new("iconv_set_encoding(string $type, string $encoding): bool", iconv_set_encoding),
    FnDef::new("iconv_get_encoding(string $type = \"all\"): array|string|false", iconv_get_encoding),
];

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("ICONV_IMPL", ConstValue::Str("glibc")),
    ("ICONV_VERSION", ConstValue::LibraryStr(phlox_process::library_version)),
    ("ICONV_MIME_DECODE_STRICT", ConstValue::Int(1)),
    ("ICONV_MIME_DECODE_CONTINUE_ON_ERROR", ConstValue::Int(2)),
];

const fn encoding(name: &'static str) -> IniString {
    IniString::new(name, "", IniAccess::All).on_change(|change| {
        // That is how long names may be in the library.
        if change.text().len() >= 64 {
            return Ok(false);
        }
        if change.stage == IniStage::Runtime {
            change.deprecated(&format!("Use of {} is deprecated", change.setting.name))?;
        }
        Ok(true)
    })
}

static INPUT_ENCODING: IniString = encoding("iconv.input_encoding");
static OUTPUT_ENCODING: IniString = encoding("iconv.output_encoding");
static INTERNAL_ENCODING: IniString = encoding("iconv.internal_encoding");

/// What `iconv_set_encoding` calls the settings, and those of the core that count where they say nothing.
static ENCODINGS: [(&str, &IniString, &IniDef); 3] = [
    ("input_encoding", &INPUT_ENCODING, &settings::INPUT_ENCODING.def),
    ("output_encoding", &OUTPUT_ENCODING, &settings::OUTPUT_ENCODING.def),
    ("internal_encoding", &INTERNAL_ENCODING, &settings::INTERNAL_ENCODING.def),
];

pub static EXTENSION: Extension = Extension {
    name: "iconv",
    functions: &[FUNCTIONS, mime::FUNCTIONS],
    classes: &[],
    constants: &[CONSTANTS],
    ini: &[&INPUT_ENCODING.def, &OUTPUT_ENCODING.def, &INTERNAL_ENCODING.def],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    ob::name_handler(vm, "ob_iconv_handler", output_handler, |_| {});
    vm.data::<NativeFilters>("native filters").0.borrow_mut().push(("convert.iconv.*", filter::make));
}

/// The first of some settings that has a value.
fn configured(vm: &Vm, settings: [&IniDef; 2]) -> PhpStr {
    for setting in settings.into_iter().chain([&settings::DEFAULT_CHARSET.def]) {
        let value = vm.ini.text(setting);
        if !value.is_empty() {
            return value;
        }
    }
    "UTF-8".into()
}

fn internal_encoding(vm: &Vm) -> PhpStr {
    configured(vm, [&INTERNAL_ENCODING, &settings::INTERNAL_ENCODING])
}

fn iconv(call: &mut Call<'_>) -> PhpResult<Val> {
    let (from, to, text) = (call.str(0), call.str(1), call.str(2));
    if !check_length(call, &from)? || !check_length(call, &to)? {
        return Ok(Val::FALSE);
    }
    let (Some(source), Some(target)) = (charset::parse(&from), charset::parse(&to)) else {
        report_names(call, &from, &to)?;
        return Ok(Val::FALSE);
    };
    match charset::convert(&source, &target, &text) {
        Ok(converted) => Ok(converted.into()),
        Err(problem) => {
            report(call, problem)?;
            Ok(Val::FALSE)
        }
    }
}

/// Texts as characters of the encoding that an argument names; `None`: a message has said why not.
fn decoded<const N: usize>(
    call: &Call<'_>,
    texts: [usize; N],
    index: usize,
) -> PhpResult<Option<([Vec<u32>; N], PhpStr)>> {
    let name = call.opt_str(index).unwrap_or_else(|| internal_encoding(call.vm));
    if !check_length(call, &name)? {
        return Ok(None);
    }
    let Some(source) = charset::parse(&name) else {
        report_names(call, &name, b"UCS-4LE")?;
        return Ok(None);
    };
    let mut all = [const { Vec::new() }; N];
    for (place, text) in all.iter_mut().zip(texts) {
        match charset::decode(&source, &call.str(text)) {
            Ok(codes) => *place = codes,
            Err(problem) => {
                report(call, problem)?;
                return Ok(None);
            }
        }
    }
    Ok(Some((all, name)))
}

fn iconv_strlen(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(decoded(call, [0], 1)?.map_or(Val::FALSE, |([codes], _)| Val::int(codes.len() as i64)))
}

fn iconv_substr(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(([codes], name)) = decoded(call, [0], 3)? else { return Ok(Val::FALSE) };
    let total = codes.len() as i64;
    let offset = match call.int(1) {
        offset if offset < 0 => (offset + total).max(0),
        offset => offset.min(total),
    };
    let length = match call.opt_int(2) {
        None => total,
        Some(length) if length < 0 => (length + total - offset).max(0),
        Some(length) => length.min(total),
    };
    let end = (offset + length).min(total);
    let Some(target) = charset::parse(&name) else { return Ok(Val::FALSE) };
    Ok(charset::encode(&target, &codes[offset as usize..end as usize]).map_or(Val::FALSE, Val::from))
}

fn iconv_strpos(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(([haystack, needle], _)) = decoded(call, [0, 1], 3)? else { return Ok(Val::FALSE) };
    let offset = match call.int(2) {
        offset if offset < 0 => offset + haystack.len() as i64,
        offset => offset,
    };
    // Where nothing is looked for, it does not matter how far behind the end.
    if needle.is_empty() && offset >= 0 {
        return Ok(Val::FALSE);
    }
    let Some(offset) = usize::try_from(offset).ok().filter(|&offset| offset <= haystack.len()) else {
        return Err(call.value_error(2, "must be contained in argument #1 ($haystack)"));
    };
    if needle.len() > haystack.len() {
        return Ok(Val::FALSE);
    }
    let found = (offset..=haystack.len() - needle.len()).find(|&at| haystack[at..].starts_with(&needle));
    Ok(found.map_or(Val::FALSE, |at| Val::int(at as i64)))
}

fn iconv_strrpos(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.str(1).is_empty() {
        return Ok(Val::FALSE);
    }
    let Some(([haystack, needle], _)) = decoded(call, [0, 1], 2)? else { return Ok(Val::FALSE) };
    if needle.len() > haystack.len() {
        return Ok(Val::FALSE);
    }
    let found = (0..=haystack.len() - needle.len()).rfind(|&at| haystack[at..].starts_with(&needle));
    Ok(found.map_or(Val::FALSE, |at| Val::int(at as i64)))
}

/// What kind of text the answer is, without its character set. `None`: it is something else.
fn text_type(vm: &Vm) -> PhpResult<Option<Vec<u8>>> {
    const NAME: &[u8] = b"content-type:";
    let headers = vm.call_value(&"headers_list".into(), Vec::new())?;
    let sent = headers.as_arr().into_iter().flat_map(|list| list.iter()).filter_map(|(_, line)| line.as_str().cloned());
    let line = sent.filter(|line| line.get(..NAME.len()).is_some_and(|start| start.eq_ignore_ascii_case(NAME))).last();
    let Some(line) = line else { return Ok(Some(vm.ini.get(&settings::DEFAULT_MIMETYPE).to_vec())) };
    let kind = line[NAME.len()..].split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
    let is_text = kind.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"text/"));
    Ok(is_text.then(|| kind.to_vec()))
}

/// What `ob_start("ob_iconv_handler")` starts: what is printed is converted to the output's encoding, as a header says.
fn output_handler(vm: &Vm, data: Vec<u8>, mode: i64) -> PhpResult<Option<Vec<u8>>> {
    let (internal, output) = (internal_encoding(vm), configured(vm, [&OUTPUT_ENCODING, &settings::OUTPUT_ENCODING]));
    if mode & ob::START != 0 {
        if vm.output.sent.get() {
            return Ok(None);
        }
        if mode & ob::CLEAN == 0 || mode & ob::FINAL == 0 {
            let charset = output.split(|&byte| byte == b'/').next().unwrap_or_default();
            if let Some(kind) = text_type(vm)? {
                let line = [b"Content-Type: ", &kind[..], b"; charset=", charset].concat();
                vm.call_value(&"header".into(), vec![Val::str(&line)])?;
                ob::make_permanent(vm);
            }
        }
    }
    let names = (charset::parse(&internal), charset::parse(&output));
    let (Some(source), Some(target)) = names else { return Ok(Some(Vec::new())) };
    Ok(Some(charset::convert(&source, &target, &data).map_or_else(|_| Vec::new(), |text| text.to_vec())))
}

fn iconv_set_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    let (kind, charset) = (call.str(0).to_ascii_lowercase(), call.str(1));
    if !check_length(call, &charset)? {
        return Ok(Val::FALSE);
    }
    let found = ENCODINGS.iter().find(|(name, ..)| name.as_bytes() == &kind[..]);
    let Some((_, setting, _)) = found else { return Ok(Val::FALSE) };
    Ok(call.vm.ini.change(call.vm, setting, "iconv_set_encoding(): ", charset)?.into())
}

fn iconv_get_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    let value =
        |(_, own, core): &(&str, &'static IniString, &'static IniDef)| Val::from(configured(call.vm, [own, core]));
    let kind = call.str(0).to_string().to_ascii_lowercase();
    if kind == "all" {
        let mut table = PhpArr::new();
        for row in &ENCODINGS {
            table.set_bytes(row.0.as_bytes(), value(row));
        }
        return Ok(table.into());
    }
    Ok(ENCODINGS.iter().find(|row| row.0 == kind).map_or(Val::FALSE, value))
}
