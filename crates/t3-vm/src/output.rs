//! Output to the front end and the transcript, and input from there.

use crate::error::{Halt, Run, Throw};
use crate::io::Event;
use crate::state::Stream;
use crate::vm::Vm;

impl Vm {
    /// Hands finished text to the front end.
    pub fn pass_on(&mut self) {
        let text = self.state.console.take();
        if !text.is_empty() {
            self.io.write(&text);
        }
    }

    /// Everything that was displayed becomes visible, the unfinished line too.
    pub fn finish_output(&mut self) {
        self.state.console.finish_prompt();
        self.pass_on();
        self.io.flush();
    }

    /// Main text goes to the display and to the transcript.
    pub fn write_main(&mut self, text: &str) {
        self.state.console.write(text);
        if let Some(transcript) = &mut self.state.logs.transcript {
            transcript.write(text);
        }
    }

    /// Displays text where output goes at present.
    pub fn display(&mut self, text: &str) {
        match self.state.stream {
            Stream::Main => {
                self.write_main(text);
                self.pass_on();
            }
            Stream::Status => self.state.status.push_str(text),
            Stream::Dropped => {}
        }
    }

    /// A line, made of what is left of the line that keys are taken from.
    pub fn read_line(&mut self, timeout: Option<u32>) -> Event {
        self.finish_output();
        let event = match self.state.key_line.take() {
            Some(rest) => Event::Text(rest),
            None => self.io.read_line(timeout),
        };
        if let Event::Text(line) = &event {
            self.state.line_begun = false;
            self.log_line(&line.clone());
            self.state.console.after_input();
            // The window may have another size now.
            self.state.console.width = self.io.width();
        }
        event
    }

    /// Too many questions after the end of input are an endless loop.
    pub fn at_end_of_input(&mut self) -> Run<()> {
        self.state.ends_seen += 1;
        if self.state.ends_seen > 1000 { Err(Throw::Halt(Halt::EndOfInput)) } else { Ok(()) }
    }

    /// A key, or a character of a line if the front end has no single keys.
    pub fn read_key(&mut self, timeout: Option<u32>) -> Run<Event> {
        self.finish_output();
        // A front end without single keys gives lines, whose characters are taken one by one.
        let mut rest = match self.state.key_line.take() {
            Some(rest) if !rest.is_empty() => rest,
            Some(_) => return Ok(Event::Text("\n".to_owned())),
            None => match self.io.read_key(timeout) {
                Event::Text(key) if self.io.has_keys() => return Ok(Event::Text(key)),
                Event::Key(key) => return Ok(Event::Text(key)),
                Event::Text(line) => line,
                other => {
                    if other == Event::End {
                        self.at_end_of_input()?;
                    }
                    return Ok(other);
                }
            },
        };
        if rest.is_empty() {
            return Ok(Event::Text("\n".to_owned()));
        }
        let key = rest.remove(0);
        self.state.key_line = Some(rest);
        Ok(Event::Text(key.to_string()))
    }
}
