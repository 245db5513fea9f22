//! The tables of `phpinfo`, as text for a terminal or as a page for a browser.

use phlox_runtime::PhpStr;
use phlox_runtime::ini::{IniDef, Shown};

pub(super) struct Page {
    pub html: bool,
    pub out: Vec<u8>,
}

const STYLE: &str = "body {background-color: #fff; color: #222; font-family: sans-serif;}
table {border-collapse: collapse; width: 934px; margin: 1em auto; box-shadow: 1px 2px 3px rgba(0, 0, 0, 0.2);}
td, th {border: 1px solid #666; font-size: 75%; vertical-align: baseline; padding: 4px 5px;}
h1, h2, .center {text-align: center;}
.p {text-align: left;}
.e {background-color: #ccf; width: 300px; font-weight: bold;}
.h {background-color: #99c; font-weight: bold;}
.v {background-color: #ddd; max-width: 300px; overflow-x: auto; word-wrap: break-word;}
.v i {color: #999;}
hr {width: 934px; background-color: #ccc; border: 0; height: 1px;}
";

fn escaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            b'\'' => out.extend_from_slice(b"&#039;"),
            _ => out.push(byte),
        }
    }
    out
}

impl Page {
    /// An empty page, as HTML or as text.
    pub fn new(html: bool) -> Page {
        Page { html, out: Vec::new() }
    }

    /// Appends text as it is.
    pub fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Bytes of a script's or the system's, which are no markup.
    fn put_text(&mut self, text: &[u8]) {
        if self.html {
            self.out.extend(escaped(text));
        } else {
            self.out.extend_from_slice(text);
        }
    }

    /// Begins an HTML page; plain text has no beginning.
    pub fn start(&mut self, title: &str) {
        if self.html {
            self.put(&format!(
                "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>\n<style type=\"text/css\">\n{STYLE}\
                 </style>\n<title>{title}</title><meta name=\"ROBOTS\" content=\"NOINDEX,NOFOLLOW,NOARCHIVE\" /></head>\n\
                 <body><div class=\"center\">\n"
            ));
        }
    }

    /// Ends an HTML page; plain text has no end.
    pub fn end(&mut self) {
        if self.html {
            self.put("</div></body></html>");
        }
    }

    /// Begins a table.
    pub fn table_start(&mut self) {
        self.put(if self.html { "<table>\n" } else { "\n" });
    }

    /// Ends a table.
    pub fn table_end(&mut self) {
        if self.html {
            self.put("</table>\n");
        }
    }

    /// A horizontal line.
    pub fn rule(&mut self) {
        let line = "\n\n _______________________________________________________________________\n\n";
        self.put(if self.html { "<hr />\n" } else { line });
    }

    /// A heading. In plain text it is the header of a table.
    pub fn section(&mut self, title: &str) {
        if self.html {
            self.put(&format!("<h2>{title}</h2>\n"));
        } else {
            self.table_start();
            self.table_header(&[title]);
        }
    }

    /// The title of an extension, with an anchor on a page.
    pub fn module(&mut self, name: &str) {
        if self.html {
            let anchor: Vec<u8> = crate::url::encode(name.to_ascii_lowercase().as_bytes(), false);
            let anchor = String::from_utf8_lossy(&anchor).into_owned();
            self.put(&format!("<h2><a name=\"module_{anchor}\" href=\"#module_{anchor}\">{name}</a></h2>\n"));
        } else {
            self.section(name);
        }
    }

    /// The header row of a table.
    pub fn table_header(&mut self, titles: &[&str]) {
        if self.html {
            let cells: String = titles.iter().map(|title| format!("<th>{title}</th>")).collect();
            self.put(&format!("<tr class=\"h\">{cells}</tr>\n"));
        } else {
            self.put(&titles.join(" => "));
            self.put("\n");
        }
    }

    /// One title over all columns.
    pub fn wide_header(&mut self, columns: usize, title: &str) {
        if self.html {
            self.put(&format!("<tr class=\"h\"><th colspan=\"{columns}\">{title}</th></tr>\n"));
        } else {
            let margin = 74usize.saturating_sub(title.len()) / 2;
            self.put(&format!("{:margin$}{title}{:margin$}\n", " ", " "));
        }
    }

    /// A row of a table.
    pub fn row(&mut self, cells: &[&[u8]]) {
        if self.html {
            self.put("<tr>");
        }
        for (index, cell) in cells.iter().enumerate() {
            if self.html {
                self.put(if index == 0 { "<td class=\"e\">" } else { "<td class=\"v\">" });
                match cell {
                    [] => self.put("<i>no value</i>"),
                    text => self.put_text(text),
                }
                self.put(" </td>");
            } else if cell.is_empty() {
                self.put(" ");
            } else {
                self.put_text(cell);
                if index + 1 < cells.len() {
                    self.put(" => ");
                }
            }
        }
        self.put(if self.html { "</tr>\n" } else { "\n" });
    }

    /// A row of registered names.
    pub fn names(&mut self, what: &str, names: &[Vec<u8>]) {
        let all = names.join(&b", "[..]);
        if self.html {
            self.put(&format!("<tr><td class=\"e\">Registered {what}</td><td class=\"v\">"));
            self.put_text(&all);
            self.put("</td></tr>\n");
        } else {
            self.put(&format!("\nRegistered {what} => "));
            self.put_text(&all);
        }
    }

    /// A setting: its value now, and the one of the configuration. `on_terminal`: output and the standard error output are not the
    /// same.
    pub fn directive(&mut self, def: &IniDef, on_terminal: bool, values: [&Option<PhpStr>; 2]) {
        let name = def.name;
        self.put(&if self.html { format!("<tr><td class=\"e\">{name}</td>") } else { name.to_owned() });
        for value in values {
            self.put(if self.html { "<td class=\"v\">" } else { " => " });
            match def.display(value.as_ref(), on_terminal) {
                Some(markup) if def.shown == Shown::Color => self.out.extend(markup),
                Some(text) => self.put_text(&text),
                None => self.put(if self.html { "<i>no value</i>" } else { "no value" }),
            }
            if self.html {
                self.put("</td>");
            }
        }
        self.put(if self.html { "</tr>\n" } else { "\n" });
    }

    /// An element of a superglobal.
    pub fn variable(&mut self, array: &str, key: &[u8], value: &[u8], is_array: bool) {
        self.put(&if self.html { format!("<tr><td class=\"e\">${array}['") } else { format!("${array}['") });
        self.put_text(key);
        self.put(if self.html { "']</td><td class=\"v\">" } else { "'] => " });
        match (self.html, is_array) {
            (true, true) => {
                self.put("<pre>");
                self.put_text(value);
                self.put("</pre>");
            }
            (true, false) if value.is_empty() => self.put("<i>no value</i>"),
            _ => self.put_text(value),
        }
        self.put(if self.html { "</td></tr>\n" } else { "\n" });
    }

    /// Lines in a box.
    pub fn note(&mut self, text: &str) {
        self.table_start();
        if self.html {
            self.put("<tr class=\"v\"><td>\n");
            self.put(&text.replace('\n', "<br />\n"));
            self.put("</td></tr>\n");
        } else {
            self.put("\n");
            self.put(text);
        }
        self.table_end();
    }
}
