//! Units that run repeatedly: a template that is included in a loop, code that is evaluated in a loop. The declarations of a unit
//! live as long as the request, so compiling it anew each time would take more memory each time.

use phlox_hhbc::{Body, FuncFlags, Instr};
use phlox_runtime::{DataKey, LinkedUnit, Vm};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// At most so many units are kept, and so many hashes of sources that have run once; then everything is forgotten.
const MOST: usize = 1024;
/// Sources of more bytes are not kept.
const LONGEST: usize = 256 << 10;
/// Bytes of all kept sources at most. Their units take several times as much, which memory_limit does not count.
const MOST_BYTES: usize = 2 << 20;

/// The place that a source comes from, and its bytes: nothing else tells whether a file has changed, as modification times are
/// coarse.
type Name = (Vec<u8>, Vec<u8>);

/// The kept units of a request.
#[derive(Default)]
struct Repeated {
    /// Hashes of the names of sources that have run.
    met: HashSet<u64>,
    units: HashMap<Name, Rc<LinkedUnit>>,
    /// Bytes of the sources of `units`.
    bytes: usize,
}

impl Drop for Repeated {
    fn drop(&mut self) {
        self.units.values().for_each(|unit| unit.runs_no_more());
    }
}

static REPEATED: DataKey<RefCell<Repeated>> = DataKey::new();

/// The kept unit of this source, if there is one; otherwise what `compile` gives, which is kept if the source runs for the second
/// time.
pub fn unit<E>(
    vm: &Vm,
    place: &[u8],
    source: &[u8],
    compile: impl FnOnce() -> Result<Rc<LinkedUnit>, E>,
) -> Result<Rc<LinkedUnit>, E> {
    if source.len() > LONGEST {
        return compile();
    }
    let repeated = vm.keyed(&REPEATED);
    let name = (place.to_vec(), source.to_vec());
    if let Some(unit) = repeated.borrow().units.get(&name) {
        return Ok(unit.clone());
    }
    let unit = compile()?;
    let mut repeated = repeated.borrow_mut();
    let is_full = repeated.met.len() >= MOST || repeated.units.len() >= MOST;
    if is_full || repeated.bytes + source.len() > MOST_BYTES {
        *repeated = Repeated::default();
    }
    let is_new = repeated.met.insert(hash(&name));
    if !is_new && runs_again(&unit) {
        unit.runs_again();
        repeated.bytes += source.len();
        repeated.units.insert(name, unit.clone());
    }
    Ok(unit)
}

fn hash(name: &Name) -> u64 {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    BuildHasherDefault::<DefaultHasher>::default().hash_one(name)
}

/// Whether running a unit a second time does the same as running a second unit of the same source: it declares nothing by name,
/// raises nothing when it is loaded, and has no static variables, whose values would live on.
pub fn runs_again(unit: &LinkedUnit) -> bool {
    let unit = &unit.unit;
    let declares =
        |body: &Body| body.code.iter().any(|instr| matches!(instr, Instr::DefFunc { .. } | Instr::DefCls { .. }));
    unit.classes.is_empty()
        && unit.hoisted.is_empty()
        && unit.notices.is_empty()
        && unit.halt_offset.is_none()
        && unit
            .funcs
            .iter()
            .all(|func| func.statics.is_empty() && !func.flags.has(FuncFlags::NO_BODY) && !declares(func))
}
