//! The static methods of `Phar`: programs that map themselves, and questions about what is possible.

use crate::archive::{COMPRESSED_BZ2, Format, HALT};
use crate::wrapper::{archives, canonical, is_read_only};
use phlox_ext_standard_file::stream::open::os;
use phlox_runtime::{Call, PhpArr, PhpResult, PhpStr, Val, Vm};

fn thrown(vm: &Vm, message: &str) -> phlox_runtime::Throw {
    vm.throw_class(b"PharException", message.as_bytes(), 0)
}

/// The file that runs, as its archive: a path in the file system, or inside `phar://`.
fn running_file(vm: &Vm) -> PhpStr {
    vm.position().0
}

/// Static methods that have no effect here; they give null.
pub fn nothing(_call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::NULL)
}

/// `Phar::apiVersion()`
pub fn api_version(_call: &mut Call<'_>) -> PhpResult<Val> {
    Ok("1.1.1".into())
}

/// `Phar::canCompress()`
pub fn can_compress(call: &mut Call<'_>) -> PhpResult<Val> {
    // Other numbers ask whether any compression is available.
    Ok(Val::bool(call.int(0) != i64::from(COMPRESSED_BZ2)))
}

/// `Phar::canWrite()`
pub fn can_write(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(!is_read_only(call.vm)))
}

/// `Phar::getSupportedCompression()`
pub fn get_supported_compression(_call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(PhpArr::from_vec(vec!["GZ".into()]).into())
}

/// `Phar::getSupportedSignatures()`
pub fn get_supported_signatures(_call: &mut Call<'_>) -> PhpResult<Val> {
    let names = ["MD5", "SHA-1", "SHA-256", "SHA-512", "OpenSSL", "OpenSSL_SHA256", "OpenSSL_SHA512"];
    Ok(names.into_iter().map(Val::from).collect::<PhpArr>().into())
}

/// A stub that runs a file of the archive: one for the command line, one for the Web.
pub fn default_stub(index: &[u8], web: &[u8]) -> Vec<u8> {
    let quoted = |text: &[u8]| phlox_runtime::shown(text).replace('\\', "\\\\").replace('\'', "\\'");
    let (index, web) = (quoted(index), quoted(web));
    let halt = phlox_runtime::shown(HALT).into_owned();
    let stub = format!(
        "<?php\nPhar::interceptFileFuncs();\nset_include_path('phar://' . __FILE__ . PATH_SEPARATOR . get_include_path());\n\
         include 'phar://' . __FILE__ . '/' . (isset($_SERVER['REQUEST_METHOD']) ? '{web}' : '{index}');\n{halt} ?>\r\n"
    );
    phlox_runtime::raw_bytes(stub.as_bytes()).into_owned()
}

/// `Phar::createDefaultStub()`
pub fn create_default_stub(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = call.opt_str(0).unwrap_or_else(|| PhpStr::from("index.php"));
    let web = call.opt_str(1).unwrap_or_else(|| index.clone());
    Ok(Val::str(&default_stub(&index, &web)))
}

/// The format that a name asks for; `None`: it is no archive's name.
pub fn format_of(path: &[u8], executable: bool) -> Option<Format> {
    let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    let lower = file.to_ascii_lowercase();
    let has = |part: &[u8]| lower.windows(part.len()).any(|window| window == part);
    let dir = &path[..path.len() - file.len()];
    if !dir.is_empty() && !os(dir).is_dir() {
        return None;
    }
    match (executable, has(b".phar")) {
        (true, false) | (false, true) => None,
        (true, true) if has(b".tar") => Some(Format::Tar),
        (true, true) if has(b".zip") => Some(Format::Zip),
        (true, true) => Some(Format::Phar),
        (false, false) if has(b".zip") => Some(Format::Zip),
        (false, false) if has(b".tar") || has(b".tgz") => Some(Format::Tar),
        (false, false) => None,
    }
}

/// `Phar::isValidPharFilename()`
pub fn is_valid_phar_filename(call: &mut Call<'_>) -> PhpResult<Val> {
    let (path, executable) = (call.str(0), call.bool(1));
    let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or(&path);
    let has_extension = file.iter().skip(1).any(|&byte| byte == b'.');
    let is_phar = file.to_ascii_lowercase().windows(5).any(|window| window == b".phar");
    Ok(Val::bool(has_extension && is_phar == executable))
}

/// The message about a file that cannot be opened.
fn unreadable(path: &[u8]) -> Option<String> {
    let is_there = std::fs::File::open(os(path)).is_ok();
    (!is_there).then(|| format!("unable to open phar for reading \"{}\"", phlox_runtime::shown(path)))
}

/// `Phar::loadPhar()`
pub fn load_phar(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if let Some(missing) = unreadable(&path) {
        return Err(thrown(call.vm, &missing));
    }
    match archives(call.vm).load(&path) {
        Ok(opened) => {
            if let Some(alias) = call.opt_str(1) {
                archives(call.vm).set_alias(&alias, &opened.archive.borrow().path);
            }
            Ok(Val::TRUE)
        }
        Err(reason) if reason.is_empty() => {
            let shown = phlox_runtime::shown(&canonical(&path)).into_owned();
            Err(thrown(call.vm, &format!("internal corruption of phar \"{shown}\" (__HALT_COMPILER(); not found)")))
        }
        Err(reason) => Err(thrown(call.vm, &reason)),
    }
}

/// Enters the running file as an archive.
fn map(call: &Call<'_>, alias: Option<PhpStr>) -> PhpResult<Val> {
    let file = running_file(call.vm);
    if file.is_empty() {
        return Err(thrown(call.vm, "cannot initialize a phar outside of PHP execution"));
    }
    if file.starts_with(b"phar://") {
        return Ok(Val::TRUE);
    }
    let opened = match archives(call.vm).load(&file) {
        Ok(opened) => opened,
        Err(reason) => {
            let shown = phlox_runtime::shown(&file).into_owned();
            let none = || "__HALT_COMPILER(); must be declared in a phar".to_owned();
            let text = if reason.is_empty() { none() } else { reason };
            return Err(thrown(call.vm, &text.replace("{file}", &shown)));
        }
    };
    let path = opened.archive.borrow().path.clone();
    if let Some(alias) = alias {
        let inside = opened.archive.borrow().alias.clone();
        if let Some(inside) = inside.filter(|inside| inside[..] != alias[..]) {
            let text = format!(
                "alias \"{}\" is already used for archive \"{}\" cannot be overloaded with \"{alias}\"",
                phlox_runtime::shown(&inside),
                phlox_runtime::shown(&path),
            );
            return Err(thrown(call.vm, &text));
        }
        archives(call.vm).set_alias(&alias, &path);
    }
    Ok(Val::TRUE)
}

/// `Phar::mapPhar()`
pub fn map_phar(call: &mut Call<'_>) -> PhpResult<Val> {
    map(call, call.opt_str(0))
}

/// `Phar::webPhar()`: enters the archive. No page is served on the command line.
pub fn web_phar(call: &mut Call<'_>) -> PhpResult<Val> {
    map(call, call.opt_str(0))?;
    Ok(Val::NULL)
}

/// `Phar::mount()`: always fails.
pub fn mount(call: &mut Call<'_>) -> PhpResult<Val> {
    let (inside, outside) = (call.str(0), call.str(1));
    Err(thrown(call.vm, &format!("Mounting of {inside} to {outside} failed")))
}

/// `Phar::running()`
pub fn running(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = running_file(call.vm);
    let Some(rest) = file.strip_prefix(b"phar://") else { return Ok(Val::str(b"")) };
    let Ok((opened, _)) = archives(call.vm).resolve(&file) else { return Ok(Val::str(rest)) };
    let path = opened.archive.borrow().path.clone();
    Ok(Val::str(&if call.bool(0) { [b"phar://", &path[..]].concat() } else { path }))
}

/// `Phar::unlinkArchive()`
pub fn unlink_archive(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    let shown = phlox_runtime::shown(&path).into_owned();
    if let Some(missing) = unreadable(&path).filter(|_| !path.is_empty()) {
        return Err(thrown(call.vm, &format!("Unknown phar archive \"{shown}\": {missing}")));
    }
    if path.is_empty() || archives(call.vm).load(&path).is_err() {
        return Err(thrown(call.vm, &format!("Unknown phar archive \"{shown}\"")));
    }
    let running = running_file(call.vm);
    let path = canonical(&path);
    if running.strip_prefix(b"phar://").is_some_and(|rest| rest.starts_with(&path)) {
        return Err(thrown(call.vm, &format!("phar archive \"{shown}\" cannot be unlinked from within itself")));
    }
    archives(call.vm).forget(&path);
    let _ = std::fs::remove_file(os(&path));
    Ok(Val::TRUE)
}
