//! Machine code: T3 instructions translated once, on a function's first call, into a form that runs fast.
//!
//! `inst.rs` is that form, `translate.rs` and `select.rs` make it from the image's bytes, and `special.rs` chooses
//! specialised instructions, of which `forms.rs` lists those for arithmetic.

pub mod forms;
pub mod inst;
mod select;
mod special;
pub mod translate;

use std::rc::Rc;

use inst::Inst;
use phlox_t3_image::Image;
use phlox_t3_image::method::Handler;

use crate::meta::Meta;
use crate::shape::{Hit, NO_SHAPE, ShapeId};
use crate::value::{NO_OBJECT, NO_PROP, ObjId, PropId, Value};

/// The bit of a code address that marks code compiled while the program runs; the rest is its place there.
pub const DYNAMIC: u32 = 1 << 31;
/// A function that is not translated yet.
pub const NOT_TRANSLATED: u32 = u32::MAX;

/// What a call needs to know about its callee.
#[derive(Debug, Clone)]
pub struct Function {
    /// Offset of the method header in the code pool.
    pub offset: u32,
    /// Index of the first instruction.
    pub entry: u32,
    /// Least number of arguments.
    pub min_args: u16,
    /// Largest number of arguments.
    pub max_args: u16,
    /// Number of local variables.
    pub locals: u16,
    /// Slots that locals and temporaries need.
    pub stack: u16,
    /// What it returns if that is all it does, otherwise `Empty`: such a call needs no frame.
    pub constant: Value,
    /// Tables that only exceptions and LRET need.
    pub tables: Box<Tables>,
}

/// Tables of a function that only exceptions and LRET need.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    /// Exception handlers.
    pub handlers: Box<[Handler]>,
    /// Code offsets with their instructions, for LRET and handlers.
    pub places: Box<[(u32, u32)]>,
}

impl Default for Function {
    fn default() -> Function {
        Function {
            offset: 0,
            entry: NOT_TRANSLATED,
            min_args: 0,
            max_args: 0,
            locals: 0,
            stack: 0,
            constant: Value::Empty,
            tables: Box::default(),
        }
    }
}

impl Function {
    /// The instruction at a code offset that a branch or handler leads to.
    pub fn place(&self, offset: u32) -> Option<u32> {
        let places = &self.tables.places;
        places.binary_search_by_key(&offset, |row| row.0).ok().map(|at| places[at].1)
    }
}

/// An inline cache: what an instruction site found last time.
#[derive(Debug, Clone, Copy)]
pub struct SiteCache {
    /// The shape that it was found for.
    pub shape: ShapeId,
    /// The property table's epoch at that time.
    pub epoch: u32,
    /// What was found.
    pub hit: Hit,
}

impl SiteCache {
    const EMPTY: SiteCache = SiteCache { shape: NO_SHAPE, epoch: 0, hit: Hit::Missing };
}

/// An entry of the cache that all sites share: sixteen bytes, since a game has many objects of many shapes.
#[derive(Debug, Clone, Copy)]
pub struct SharedCache {
    shape: ShapeId,
    epoch: u32,
    definer: ObjId,
    prop: PropId,
    slot: u16,
}

/// Stands for a property that is found nowhere; no object has that many slots.
const NO_SLOT: u16 = u16::MAX;

impl SharedCache {
    const EMPTY: SharedCache =
        SharedCache { shape: NO_SHAPE, epoch: 0, definer: NO_OBJECT, prop: NO_PROP, slot: NO_SLOT };

    /// What was found for a shape and property.
    pub fn new(shape: ShapeId, prop: PropId, epoch: u32, hit: Hit) -> SharedCache {
        let (definer, slot) = match hit {
            Hit::Own(slot) => (NO_OBJECT, slot),
            Hit::Inherited(definer, slot) => (definer, slot),
            Hit::Missing => (NO_OBJECT, NO_SLOT),
        };
        SharedCache { shape, epoch, definer, prop, slot }
    }

    /// What was found, if it was for this shape and property.
    #[inline]
    pub fn hit(&self, shape: ShapeId, prop: PropId, epoch: u32) -> Option<Hit> {
        if self.shape != shape || self.prop != prop || self.epoch != epoch {
            return None;
        }
        Some(match (self.definer, self.slot) {
            (_, NO_SLOT) => Hit::Missing,
            (NO_OBJECT, slot) => Hit::Own(slot),
            (definer, slot) => Hit::Inherited(definer, slot),
        })
    }
}

/// An entry of the cache of inherited definitions.
#[derive(Debug, Clone, Copy)]
pub struct InheritedCache {
    /// The property that was looked up.
    pub prop: PropId,
    /// The object behind which `inherited` began to look.
    pub definer: ObjId,
    /// For which shape, when, and with what result.
    pub site: SiteCache,
}

impl InheritedCache {
    const EMPTY: InheritedCache = InheritedCache { prop: NO_PROP, definer: NO_OBJECT, site: SiteCache::EMPTY };
}

/// Where a property of an intrinsic class's objects is.
#[derive(Debug, Clone, Copy, Default)]
pub enum ClassHit {
    /// Nowhere.
    #[default]
    Missing,
    /// A native method: metaclass and number.
    Native(Meta, u16),
    /// What the program adds to the class: object and slot.
    Added(ObjId, u16),
}

/// An entry of the cache for intrinsic classes.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClassCache {
    /// The property tables' epoch at the time; 0 is never.
    pub epoch: u32,
    /// The answer.
    pub hit: ClassHit,
}

/// Whether a list of superclasses leads to a class.
#[derive(Debug, Clone, Copy, Default)]
pub struct KindCache {
    /// The list.
    pub supers: u32,
    /// The class.
    pub class: ObjId,
    /// The property tables' epoch at the time; 0 is never.
    pub epoch: u32,
    /// The answer.
    pub inherits: bool,
}

/// Whether objects belong to the class that a walk over all objects looks for.
#[derive(Debug, Default)]
pub struct InstanceWalk {
    /// The class.
    pub class: ObjId,
    /// The property tables' epoch at the time.
    pub epoch: u32,
    /// Answers by superclass list, where they are known.
    pub answers: Vec<Option<bool>>,
}

/// SWITCH's cases.
#[derive(Debug, Default)]
pub struct Cases {
    /// Values in order, with their instructions.
    pub rows: Vec<(Value, u32)>,
    /// Cases with integers and enumerators, by value: position of the first row with that value.
    pub index: foldhash::HashMap<Value, u32>,
    /// Cases with strings.
    pub texts: foldhash::HashMap<crate::text::Text, u32>,
    /// Whether `index` and `texts` hold every row.
    pub plain: bool,
    /// Where to go if none matches.
    pub default: u32,
}

/// All translated code.
pub struct Code {
    /// Instructions of all functions, one after another.
    pub insts: Vec<Inst>,
    /// The code offset of each instruction.
    pub offsets: Vec<u32>,
    /// Functions, by the index that values carry.
    pub functions: Vec<Function>,
    /// Constants that operands refer to.
    pub constants: Vec<Value>,
    pub constant_index: foldhash::HashMap<Value, u16>,
    /// Cases of SWITCH instructions.
    pub cases: Vec<Cases>,
    /// Code compiled while the program runs, as an image would have it.
    pub dynamic: Rc<Vec<u8>>,
    /// Stretches of compiled code from a saved game: former address, length and present address.
    pub moved: Vec<(u32, u32, u32)>,
    /// Objects that compiled code refers to; the collector keeps them for as long as the machine exists.
    pub literals: Vec<Value>,
    /// Variables of compiled functions, by address.
    pub dynamic_variables: foldhash::HashMap<u32, Vec<phlox_t3_image::debug::Variable>>,
    /// Texts of PUSHSTRI instructions.
    pub texts: Vec<String>,
    /// Caches of the property sites, [`WAYS`] for each.
    pub sites: Vec<SiteCache>,
    /// The cache that all property sites share.
    pub shared: Vec<SharedCache>,
    /// The cache for inherited definitions.
    pub inherited: Vec<InheritedCache>,
    /// Answers to the question whether a list of superclasses leads to a class.
    pub kinds: Vec<KindCache>,
    /// Answers of the last walk over all objects of a class.
    pub walk: InstanceWalk,
    /// Properties of intrinsic classes, by class and property.
    pub classes: Vec<Vec<ClassCache>>,
}

/// Shapes that a site remembers at most.
const WAYS: usize = 4;
/// Entries of the shared caches at first and when much code is there: powers of two.
const FEW_SHARED: usize = 1 << 10;
const SHARED: usize = 1 << 16;
/// Programs with at least so many instructions get large caches.
const MUCH_CODE: usize = 4000;

#[inline]
fn cache_hash(shape: u32, prop: PropId) -> usize {
    (shape.wrapping_mul(0x9E37_79B1) ^ u32::from(prop).wrapping_mul(0x85EB_CA6B)) as usize >> 5
}

impl Default for Code {
    fn default() -> Code {
        Code {
            insts: Vec::new(),
            offsets: Vec::new(),
            functions: Vec::new(),
            constants: Vec::new(),
            constant_index: Default::default(),
            cases: Vec::new(),
            dynamic: Rc::default(),
            moved: Vec::new(),
            literals: Vec::new(),
            dynamic_variables: Default::default(),
            texts: Vec::new(),
            sites: Vec::new(),
            shared: vec![SharedCache::EMPTY; FEW_SHARED],
            inherited: vec![InheritedCache::EMPTY; FEW_SHARED],
            kinds: vec![KindCache::default(); FEW_SHARED],
            walk: InstanceWalk::default(),
            classes: vec![Vec::new(); Meta::ALL.len()],
        }
    }
}

impl Code {
    /// The bytes that a code address is in, and the place among them.
    pub fn pool<'a>(&'a self, image: &'a Image, address: u32) -> (&'a [u8], usize) {
        match address & DYNAMIC {
            0 => (&image.code.bytes, address as usize),
            _ => (&self.dynamic, (address & !DYNAMIC) as usize),
        }
    }

    /// What a call with this many arguments returns, if the function does nothing else.
    #[inline(always)]
    pub fn constant_of(&self, function: u32, argc: usize) -> Option<Value> {
        let function = self.functions.get(function as usize)?;
        let fits = argc >= function.min_args as usize && argc <= function.max_args as usize;
        (function.constant != Value::Empty && fits).then_some(function.constant)
    }

    /// The variables of a function compiled while the program runs.
    pub fn dynamic_variables(&self, address: u32) -> Vec<phlox_t3_image::debug::Variable> {
        self.dynamic_variables.get(&address).cloned().unwrap_or_default()
    }

    /// The shared cache's place for a shape and property.
    #[inline]
    pub fn shared_index(&self, shape: ShapeId, prop: PropId) -> usize {
        cache_hash(shape, prop) & (self.shared.len() - 1)
    }

    /// The place of an inherited definition in its cache.
    #[inline]
    pub fn inherited_index(&self, shape: ShapeId, definer: ObjId, prop: PropId) -> usize {
        cache_hash(shape ^ definer.rotate_left(16), prop) & (self.inherited.len() - 1)
    }

    /// Replaces the caches by larger ones once the program has turned out to be large.
    pub fn grow_caches(&mut self) {
        if self.insts.len() > MUCH_CODE && self.shared.len() < SHARED {
            self.shared = vec![SharedCache::EMPTY; SHARED];
            self.inherited = vec![InheritedCache::EMPTY; SHARED >> 4];
            self.kinds = vec![KindCache::default(); SHARED >> 4];
        }
    }

    /// The place among a site's caches for a shape.
    #[inline(always)]
    pub fn way(site: u32, shape: ShapeId) -> usize {
        site as usize * WAYS + shape as usize % WAYS
    }

    /// A number for one more property instruction.
    pub fn new_site(&mut self) -> u32 {
        let site = (self.sites.len() / WAYS) as u32;
        self.sites.extend([SiteCache::EMPTY; WAYS]);
        site
    }

    /// The instruction index for a source offset, to say where a frame stands.
    pub fn offset_of(&self, ip: usize) -> u32 {
        self.offsets.get(ip).copied().unwrap_or(0)
    }
}
