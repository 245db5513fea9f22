//! `phpcredits`: whose language this is, and whose libraries do the work.

use super::page::Page;
use phlox_runtime::Vm;

pub(super) const GROUP: i64 = 1;
pub(super) const GENERAL: i64 = 2;
pub(super) const SAPI: i64 = 4;
pub(super) const MODULES: i64 = 8;
pub(super) const DOCS: i64 = 16;
pub(super) const FULL_PAGE: i64 = 32;
pub(super) const QA: i64 = 64;
/// The flag of the web sites' section; there is no constant for it.
const WEB: i64 = 128;

const PHLOX: &str = "The authors of Phlox";

/// Extensions that rest on a library, and the library's authors.
const LIBRARIES: [(&str, &str); 19] = [
    ("bz2", "libbz2-rs: the Trifecta Tech Foundation; bzip2: Julian Seward"),
    ("curl", "libcurl: Daniel Stenberg and contributors"),
    ("date", "The IANA time zone database: Paul Eggert and contributors"),
    ("dom", "libxml2: Daniel Veillard and contributors; html5ever: the Servo project"),
    ("fileinfo", "libmagic's rules: Ian F. Darwin, Christos Zoulas and contributors"),
    ("gmp", "num-bigint: the Rust num project"),
    ("hash", "RustCrypto"),
    ("libxml", "libxml2: Daniel Veillard and contributors"),
    ("mbstring", "encoding_rs: Henri Sivonen; Oniguruma: K. Kosako"),
    ("openssl", "OpenSSL: the OpenSSL project"),
    ("pcre", "PCRE2: Philip Hazel, Zoltan Herczeg"),
    ("pdo_sqlite", "SQLite: D. Richard Hipp and contributors"),
    ("SimpleXML", "libxml2: Daniel Veillard and contributors"),
    ("sqlite3", "SQLite: D. Richard Hipp and contributors"),
    ("xml", "libxml2: Daniel Veillard and contributors"),
    ("xmlreader", "libxml2: Daniel Veillard and contributors"),
    ("xmlwriter", "libxml2: Daniel Veillard and contributors"),
    (
        "zip",
        "libzip, whose rules it follows: Dieter Baron, Thomas Klausner; liblzma: Lasse Collin and contributors; Zstandard: Yann Collet and contributors; RustCrypto",
    ),
    ("zlib", "zlib: Jean-loup Gailly, Mark Adler"),
];

pub(super) fn write(vm: &Vm, page: &mut Page, flags: i64) {
    if flags & FULL_PAGE != 0 {
        page.start("PHP Credits");
    }
    page.put(if page.html { "<h1>PHP Credits</h1>\n" } else { "PHP Credits\n" });
    if flags & GROUP != 0 {
        list(page, "PHP Group", "The members of the PHP Group, whose language this is");
    }
    if flags & GENERAL != 0 {
        let title = if page.html { "Language Design &amp; Concept" } else { "Language Design & Concept" };
        list(page, title, "Andi Gutmans, Rasmus Lerdorf, Zeev Suraski, Marcus Boerger");
        let rows = [("The language and its library", "The PHP Group and contributors"), ("This engine", PHLOX)];
        table(page, "PHP Authors", Some(["Contribution", "Authors"]), &rows);
    }
    if flags & SAPI != 0 {
        let rows = [("CGI", PHLOX), ("CLI", PHLOX)];
        table(page, "SAPI Modules", Some(["Contribution", "Authors"]), &rows);
    }
    if flags & MODULES != 0 {
        let library = |name: &str| LIBRARIES.iter().find(|row| row.0 == name).map_or(PHLOX, |row| row.1);
        let extensions = super::sorted_extensions(vm);
        let rows: Vec<_> = extensions.iter().map(|extension| (extension.name, library(extension.name))).collect();
        table(page, "Module Authors", Some(["Module", "Authors"]), &rows);
    }
    if flags & DOCS != 0 {
        let rows = [("PHP's manual", "The PHP documentation group"), ("Phlox's documents", PHLOX)];
        table(page, "PHP Documentation", None, &rows);
    }
    if flags & QA != 0 {
        list(page, "PHP Quality Assurance Team", "The authors of PHP's tests, which say what is right");
    }
    if flags & WEB != 0 {
        let rows = [("PHP's web sites", "The PHP web team")];
        table(page, "Websites and Infrastructure team", None, &rows);
    }
    if flags & FULL_PAGE != 0 {
        page.end();
    }
}

fn list(page: &mut Page, title: &str, text: &str) {
    page.table_start();
    page.table_header(&[title]);
    page.row(&[text.as_bytes()]);
    page.table_end();
}

fn table(page: &mut Page, title: &str, columns: Option<[&str; 2]>, rows: &[(&str, &str)]) {
    page.table_start();
    page.wide_header(2, title);
    if let Some(columns) = columns {
        page.table_header(&columns);
    }
    for (what, who) in rows {
        page.row(&[what.as_bytes(), who.as_bytes()]);
    }
    page.table_end();
}
