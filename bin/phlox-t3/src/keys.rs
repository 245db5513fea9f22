//! Single keys of a terminal, under the names that T3 gives them.

use std::io::Stdin;

use phlox_t3_vm::io::Event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// How long the rest of an escape sequence may take, in milliseconds.
const SEQUENCE: u32 = 50;

/// The terminal without echo and lines, until dropped.
struct Raw {
    input: Stdin,
    before: Termios,
}

impl Raw {
    fn new() -> Option<Raw> {
        let input = std::io::stdin();
        let before = tcgetattr(&input).ok()?;
        let mut raw = before.clone();
        raw.make_raw();
        // Output keeps its line ends.
        raw.output_modes = before.output_modes;
        tcsetattr(&input, OptionalActions::Now, &raw).ok()?;
        Some(Raw { input, before })
    }

    fn is_ready(&self, milliseconds: Option<u32>) -> bool {
        let limit = milliseconds
            .map(|limit| Timespec { tv_sec: (limit / 1000).into(), tv_nsec: i64::from(limit % 1000) * 1_000_000 });
        poll(&mut [PollFd::new(&self.input, PollFlags::IN)], limit.as_ref()).is_ok_and(|ready| ready > 0)
    }

    fn byte(&self) -> Option<u8> {
        let mut byte = [0];
        matches!(rustix::io::read(&self.input, &mut byte), Ok(1)).then_some(byte[0])
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // A terminal that is gone needs no modes.
        let _ = tcsetattr(&self.input, OptionalActions::Now, &self.before);
    }
}

/// The keyboard, key by key, until dropped.
pub struct Keys(Raw);

impl Keys {
    /// Takes the terminal's lines and echo away; `None` without a terminal.
    pub fn open() -> Option<Keys> {
        Raw::new().map(Keys)
    }

    /// Waits for a key; `timeout` in milliseconds.
    pub fn next(&self, timeout: Option<u32>) -> Event {
        let raw = &self.0;
        if timeout.is_some() && !raw.is_ready(timeout) {
            return Event::Timeout;
        }
        let Some(first) = raw.byte() else { return Event::End };
        let mut bytes = vec![first];
        if first == 0x1b {
            while bytes.len() < 8 && raw.is_ready(Some(SEQUENCE)) {
                let Some(byte) = raw.byte() else { break };
                bytes.push(byte);
                if bytes.len() > 2 && (byte.is_ascii_alphabetic() || byte == b'~') || bytes.len() == 2 && byte >= 0x60 {
                    break;
                }
            }
        } else {
            let more = first.leading_ones().saturating_sub(1).min(3);
            bytes.extend((0..more).map_while(|_| raw.byte()));
        }
        name(&bytes).map_or(Event::End, Event::Text)
    }
}

/// Waits for one key; `timeout` in milliseconds.
pub fn read(timeout: Option<u32>) -> Event {
    Keys::open().map_or(Event::End, |keys| keys.next(timeout))
}

/// The name of what was typed; `None` for an interrupt.
fn name(bytes: &[u8]) -> Option<String> {
    let name = match bytes {
        [3] => return None,
        [b'\r' | b'\n'] => "\n",
        [b'\t'] => "\t",
        [8 | 127] => "[bksp]",
        [27] => "[esc]",
        [27, b'[' | b'O', b'A'] => "[up]",
        [27, b'[' | b'O', b'B'] => "[down]",
        [27, b'[' | b'O', b'C'] => "[right]",
        [27, b'[' | b'O', b'D'] => "[left]",
        [27, b'[' | b'O', b'H'] | [27, b'[', b'1', b'~'] => "[home]",
        [27, b'[' | b'O', b'F'] | [27, b'[', b'4', b'~'] => "[end]",
        [27, b'[', b'3', b'~'] => "[del]",
        [27, b'[', b'5', b'~'] => "[page up]",
        [27, b'[', b'6', b'~'] => "[page down]",
        [27, b'O', key @ b'P'..=b'S'] => return Some(format!("[f{}]", key - b'P' + 1)),
        [27, b'[', b'1', key @ b'5'..=b'9', b'~'] => {
            return Some(format!("[f{}]", if *key == b'5' { 5 } else { key - b'1' }));
        }
        [27, b'[', b'2', key @ b'0'..=b'4', b'~'] => {
            return Some(format!("[f{}]", if *key < b'2' { key - b'0' + 9 } else { key - b'0' + 8 }));
        }
        [27, key] if key.is_ascii_graphic() => return Some(format!("[alt-{}]", char::from(*key))),
        [key @ 1..=26] => return Some(format!("[ctrl-{}]", char::from(key + b'a' - 1))),
        [27, ..] => "[?]",
        _ => return Some(String::from_utf8_lossy(bytes).into_owned()),
    };
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn keys_have_the_names_of_t3() {
        let of = |bytes: &[u8]| name(bytes).unwrap_or_default();
        assert_eq!(of(b"\r"), "\n");
        assert_eq!(of(b"\x1b[A"), "[up]");
        assert_eq!(of(b"\x1bOP"), "[f1]");
        assert_eq!(of(b"\x1b[15~"), "[f5]");
        assert_eq!(of(b"\x1b[17~"), "[f6]");
        assert_eq!(of(b"\x1b[20~"), "[f9]");
        assert_eq!(of(b"\x1b[23~"), "[f11]");
        assert_eq!(of(b"\x1bx"), "[alt-x]");
        assert_eq!(of(b"\x01"), "[ctrl-a]");
        assert_eq!(of("é".as_bytes()), "é");
        assert_eq!(name(b"\x03"), None);
    }
}
