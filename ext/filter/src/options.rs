//! What a filter is given besides its flags.

use phlox_runtime::{PhpArr, PhpResult, PhpStr, Val, Vm, convert};

pub struct Options<'a> {
    pub vm: &'a Vm,
    pub table: Option<PhpArr>,
    /// What stands at `options`, whatever its type: the callback.
    pub value: Val,
}

impl Options<'_> {
    fn get(&self, name: &str) -> Option<Val> {
        self.table.as_ref()?.get_bytes(name.as_bytes()).map(Val::deref)
    }

    pub fn int(&self, name: &str) -> PhpResult<Option<i64>> {
        self.get(name).map(|value| convert::to_int(self.vm, &value)).transpose()
    }

    pub fn float(&self, name: &str) -> PhpResult<Option<f64>> {
        self.get(name).map(|value| convert::to_double(self.vm, &value)).transpose()
    }

    /// Only a string is one.
    pub fn text(&self, name: &str) -> Option<PhpStr> {
        self.get(name)?.into_str()
    }

    pub fn default_value(&self) -> Option<Val> {
        self.get("default")
    }
}
