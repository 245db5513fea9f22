//! A line editor that can stop when its time is up and go on later; `rustyline`, which edits all other lines, cannot.

use std::io::Write;
use std::time::{Duration, Instant};

use phlox_t3_vm::io::Event;

use crate::keys::Keys;

/// A line being edited.
#[derive(Debug, Default)]
pub struct Line {
    text: Vec<char>,
    cursor: usize,
    /// How far back in the history the line is; 0 is the new line.
    back: usize,
}

/// What a key did.
#[derive(Debug, PartialEq, Eq)]
enum Done {
    Edited,
    Entered,
    Ended,
}

impl Line {
    /// What was typed so far, and the part of it before the cursor.
    pub fn parts(&self) -> (String, String) {
        (self.text[..self.cursor].iter().collect(), self.text[self.cursor..].iter().collect())
    }

    /// Reads on for some milliseconds, showing the line behind a prompt.
    pub fn read(&mut self, prompt: &str, columns: usize, history: &[String], milliseconds: u32) -> Event {
        let Some(keys) = Keys::open() else { return Event::End };
        let end = Instant::now() + Duration::from_millis(milliseconds.into());
        loop {
            self.show(prompt, columns);
            let left = end.saturating_duration_since(Instant::now());
            let key = match keys.next(Some(left.as_millis() as u32)) {
                Event::Text(key) | Event::Key(key) => key,
                Event::Timeout => return Event::Timeout,
                Event::End => return Event::Text("quit".to_owned()),
            };
            match self.edit(&key, history) {
                Done::Edited => {}
                Done::Entered => return Event::Text(std::mem::take(self).text.iter().collect()),
                Done::Ended => return Event::End,
            }
        }
    }

    fn edit(&mut self, key: &str, history: &[String]) -> Done {
        match key {
            "\n" => return Done::Entered,
            "[ctrl-d]" if self.text.is_empty() => return Done::Ended,
            "[left]" | "[ctrl-b]" => self.cursor = self.cursor.saturating_sub(1),
            "[right]" | "[ctrl-f]" => self.cursor = (self.cursor + 1).min(self.text.len()),
            "[home]" | "[ctrl-a]" => self.cursor = 0,
            "[end]" | "[ctrl-e]" => self.cursor = self.text.len(),
            "[up]" | "[ctrl-p]" => self.recall(history, (self.back + 1).min(history.len())),
            "[down]" | "[ctrl-n]" => self.recall(history, self.back.saturating_sub(1)),
            "[bksp]" if self.cursor > 0 => {
                self.cursor -= 1;
                self.text.remove(self.cursor);
            }
            "[del]" | "[ctrl-d]" if self.cursor < self.text.len() => drop(self.text.remove(self.cursor)),
            "[ctrl-k]" => self.text.truncate(self.cursor),
            "[ctrl-u]" => drop(self.text.drain(..std::mem::take(&mut self.cursor))),
            key if key.starts_with('[') && key.len() > 1 => {}
            key => {
                for c in key.chars().filter(|c| !c.is_control()) {
                    self.text.insert(self.cursor, c);
                    self.cursor += 1;
                }
            }
        }
        Done::Edited
    }

    /// The line becomes one of the history, or empty for the new one.
    fn recall(&mut self, history: &[String], back: usize) {
        self.back = back;
        self.text = match back {
            0 => Vec::new(),
            back => history[history.len() - back].chars().collect(),
        };
        self.cursor = self.text.len();
    }

    /// Shows as much of the line as fits, with the cursor in sight.
    fn show(&self, prompt: &str, columns: usize) {
        let room = columns.saturating_sub(prompt.chars().count() + 1).max(8);
        let start = self.cursor.saturating_sub(room);
        let shown: String = self.text[start..].iter().take(room).collect();
        print!("\r{prompt}{shown}\x1b[K\r{prompt}{}", self.text[start..self.cursor].iter().collect::<String>());
        // Nobody is left to tell if the terminal is gone.
        let _ = std::io::stdout().flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[&str], history: &[String]) -> (String, String) {
        let mut line = Line::default();
        keys.iter().for_each(|key| assert_eq!(line.edit(key, history), Done::Edited));
        line.parts()
    }

    #[test]
    fn keys_edit_the_line() {
        let parts = |before: &str, after: &str| (before.to_owned(), after.to_owned());
        assert_eq!(typed(&["a", "é", "[left]", "b", "[bksp]", "[bksp]"], &[]), parts("", "é"));
        assert_eq!(typed(&["a", "b", "[home]", "[del]", "[f1]", "[end]", "["], &[]), parts("b[", ""));
        assert_eq!(typed(&["x", "y", "[left]", "[ctrl-k]"], &[]), parts("x", ""));
        let history = ["one".to_owned(), "two".to_owned()];
        assert_eq!(typed(&["[up]", "[up]", "[up]"], &history), parts("one", ""));
        assert_eq!(typed(&["[up]", "[up]", "[down]"], &history), parts("two", ""));
        assert_eq!(typed(&["[up]", "[down]"], &history), parts("", ""));
    }
}
