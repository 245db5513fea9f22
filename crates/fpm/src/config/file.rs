//! Reads configuration files.

use super::line::{self, Line, ReadValue};
use super::table::{Directive, GLOBAL, POOL};
use super::value::Value;
use super::{Configuration, PREFIX, Pool, Refused};
use crate::{error, system_error, warning};

/// Files that include each other may be nested so deep.
const NESTING_MAX: u32 = 5;

/// Reads files into a configuration.
pub struct Reader<'a> {
    pub configuration: &'a mut Configuration,
    pub read_value: &'a ReadValue,
    /// The pool whose section this is; `None`: `[global]`.
    pool: Option<usize>,
    nesting: u32,
}

/// Where a line stands, for messages.
struct Place<'a> {
    file: &'a str,
    line: usize,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}:{}]", self.file, self.line)
    }
}

impl<'a> Reader<'a> {
    /// A reader that begins in the section `[global]`.
    pub fn new(configuration: &'a mut Configuration, read_value: &'a ReadValue) -> Reader<'a> {
        Reader { configuration, read_value, pool: None, nesting: 0 }
    }

    /// Reads a file and those which it includes.
    ///
    /// # Errors
    /// If something is wrong, which the log says.
    pub fn file(&mut self, path: &str) -> Result<(), Refused> {
        if path.is_empty() {
            error!("configuration filename is empty");
            return Err(Refused);
        }
        let text = std::fs::read(path).map_err(|failure| {
            system_error!(failure, "failed to open configuration file '{path}'");
            Refused
        })?;
        if self.nesting >= NESTING_MAX {
            error!("failed to include more than 5 files recursively");
            return Err(Refused);
        }
        self.nesting += 1;
        let result = text
            .split(|&byte| byte == b'\n')
            .enumerate()
            .try_for_each(|(number, line)| self.line(line, &Place { file: path, line: number + 1 }));
        self.nesting -= 1;
        result
    }

    fn line(&mut self, text: &[u8], place: &Place<'_>) -> Result<(), Refused> {
        match line::read(text, self.read_value) {
            None => {
                error!("{place} Unknown INI syntax");
                Err(Refused)
            }
            Some(Line::Nothing) => Ok(()),
            Some(Line::Section(name)) => {
                self.section(&name);
                Ok(())
            }
            Some(Line::Entry(_, None)) => {
                error!("{place} value is NULL for a ZEND_INI_PARSER_ENTRY");
                Err(Refused)
            }
            Some(Line::Entry(name, Some(value))) if name == "include" => {
                self.include(&String::from_utf8_lossy(&value), place)
            }
            Some(Line::Entry(name, Some(value))) => self.entry(&name, &String::from_utf8_lossy(&value), place),
            Some(Line::Element(name, key, value)) => self.element(&name, key, value, place),
        }
    }

    fn section(&mut self, name: &str) {
        self.pool = None;
        if name.eq_ignore_ascii_case("global") {
            return;
        }
        let pools = &mut self.configuration.pools;
        let known = pools.iter().position(|pool| pool.name.eq_ignore_ascii_case(name));
        self.pool = Some(known.unwrap_or_else(|| {
            pools.push(Pool::named(name));
            pools.len() - 1
        }));
    }

    fn entry(&mut self, name: &str, value: &str, place: &Place<'_>) -> Result<(), Refused> {
        fn set<T>(rows: &[Directive<T>], target: &mut T, name: &str, value: &str) -> Option<Result<(), &'static str>> {
            let row = rows.iter().find(|row| row.name.eq_ignore_ascii_case(name))?;
            Some((row.set)(target, value))
        }
        let result = match self.pool {
            None if value.contains("$pool") && set(GLOBAL, &mut Default::default(), name, "").is_some() => {
                Some(Err("Can't use '$pool' when the pool is not defined"))
            }
            None => set(GLOBAL, &mut self.configuration.global, name, value),
            Some(pool) => {
                let pool = &mut self.configuration.pools[pool];
                let value = value.replace("$pool", &pool.name);
                set(POOL, pool, name, &value)
            }
        };
        match result {
            Some(Ok(())) => Ok(()),
            Some(Err(message)) => {
                error!("{place} unable to parse value for entry '{name}': {message}");
                Err(Refused)
            }
            None => {
                error!("{place} unknown entry '{name}'");
                Err(Refused)
            }
        }
    }

    fn element(&mut self, name: &str, key: Vec<u8>, value: Vec<u8>, place: &Place<'_>) -> Result<(), Refused> {
        let mut is_wrong = false;
        if name == "access.suppress_path" {
            if !key.is_empty() {
                error!("{place} Keys provided to field 'access.suppress_path' are ignored");
                is_wrong = true;
            }
            if !value.starts_with(b"/") {
                error!("{place} Values provided to field 'access.suppress_path' must begin with '/'");
                is_wrong = true;
            }
        } else if key.is_empty() {
            error!("{place} You must provide a key for field '{name}'");
            is_wrong = true;
        }
        if is_wrong {
            return Err(Refused);
        }
        let Some(pool) = self.pool else {
            error!("{place} Array are not allowed in the global section");
            return Err(Refused);
        };
        let pool = &mut self.configuration.pools[pool];
        let expanded = replace(&value, b"$pool", pool.name.as_bytes());
        let switch =
            bool::read(&String::from_utf8_lossy(&value)).map(|on| if on { b"1".to_vec() } else { b"0".to_vec() });
        let shown = String::from_utf8_lossy(&key).into_owned();
        let (list, value) = match name {
            "env" if value.is_empty() => {
                error!("{place} empty value");
                return Err(Refused);
            }
            "env" => (&mut pool.environment, Ok(expanded)),
            "php_value" => (&mut pool.values, Ok(expanded)),
            "php_admin_value" => (&mut pool.admin_values, Ok(expanded)),
            "php_flag" => (&mut pool.values, switch),
            "php_admin_flag" => (&mut pool.admin_values, switch),
            "access.suppress_path" => {
                pool.suppressed.insert(0, String::from_utf8_lossy(&expanded).into_owned());
                return Ok(());
            }
            _ => {
                error!("{place} unknown directive '{name}'");
                return Err(Refused);
            }
        };
        match value {
            Ok(value) => {
                list.insert(0, (key, value));
                Ok(())
            }
            Err(message) => {
                error!("{place} error while parsing '{name}[{shown}]' : {message}");
                Err(Refused)
            }
        }
    }

    fn include(&mut self, pattern: &str, place: &Place<'_>) -> Result<(), Refused> {
        let Place { file, line } = place;
        let pattern = self.configuration.full_path(pattern, None, PREFIX);
        let paths = match glob::glob(&pattern) {
            Ok(paths) => paths,
            Err(_) => {
                error!("Unable to globalize '{pattern}' (ret=2) from {file} at line {line}.");
                return Err(Refused);
            }
        };
        let mut is_empty = true;
        for path in paths.flatten() {
            is_empty = false;
            if path.is_dir() {
                continue;
            }
            let path = path.to_string_lossy();
            self.file(&path).map_err(|refused| {
                error!("Unable to include {path} from {file} at line {line}");
                refused
            })?;
        }
        if is_empty {
            warning!("Nothing matches the include pattern '{pattern}' from {file} at line {line}.");
        }
        Ok(())
    }
}

fn replace(text: &[u8], token: &[u8], by: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(token.len()).position(|part| part == token) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(by);
        rest = &rest[at + token.len()..];
    }
    out.extend_from_slice(rest);
    out
}
