//! console
#[derive(Default)]
pub struct Console;
impl Console {
    pub fn write(&mut self, _: &str) {}
}
