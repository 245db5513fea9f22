//! The intrinsic classes and functions of the T3 machine, in the tables that a machine is given.
//!
//! `meta` has a module for each class, `bif` the function sets. A row of the table of classes says how the class's
//! objects come out of an image, how `new` makes them, and its methods in the order of the image's property lists.
#![forbid(unsafe_code)]

mod bif;
mod meta;

use bif::{gen_objects, io, t3test, t3vm};
use meta::*;
use phlox_t3_image::Image;
use phlox_t3_vm::io::Io;
use phlox_t3_vm::load::{load_class, load_list, load_tads, load_text, load_vector};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::vm::{BuiltinSet, Class, Natives};
use phlox_t3_vm::{Options, Vm};

/// A machine with a loaded image, ready to run its program.
pub fn machine(image: Image, options: Options, io: Box<dyn Io>) -> Result<Vm, String> {
    Vm::new(image, options, &NATIVES, io)
}

/// All intrinsic classes and function sets.
pub static NATIVES: Natives = Natives { classes: CLASSES, sets: SETS };

/// The function sets.
static SETS: &[BuiltinSet] = &[
    BuiltinSet { name: "t3vm", version: "010006", functions: t3vm::FUNCTIONS },
    BuiltinSet { name: "tads-gen", version: "030008", functions: gen_objects::FUNCTIONS },
    BuiltinSet { name: "t3vmTEST", version: "010000", functions: t3test::FUNCTIONS },
    BuiltinSet { name: "tads-io", version: "030007", functions: io::FUNCTIONS },
];

macro_rules! classes {
    ($($meta:ident load $load:expr, new $create:expr, $methods:expr;)*) => {
        &[$(Class { meta: Meta::$meta, load: $load, create: $create, methods: $methods },)*]
    };
}

/// A row for each class, in the order of [`Meta`].
static CLASSES: &[Class] = classes! {
    RootObject load None, new None, root::METHODS;
    TadsObject load Some(load_tads), new None, tads::METHODS;
    IntClassMod load Some(load_tads), new None, &[];
    IntrinsicClass load Some(load_class), new None, root::CLASS_METHODS;
    Collection load None, new None, iter::COLLECTION_METHODS;
    Iterator load None, new None, iter::METHODS;
    IndexedIterator load None, new None, &[];
    String load Some(load_text), new None, string::METHODS;
    List load Some(load_list), new Some(list::create), list::METHODS;
    Vector load Some(load_vector), new Some(vector::create), vector::METHODS;
    AnonFuncPtr load Some(load_vector), new Some(vector::create_function), &[];
    LookupTable load Some(lookup::load), new Some(lookup::create), lookup::METHODS;
    WeakRefLookupTable load Some(lookup::load), new Some(lookup::create_weak), &[];
    LookupTableIterator load None, new None, &[];
    Dictionary load Some(dictionary::load), new Some(dictionary::create), dictionary::METHODS;
    GrammarProd load Some(grammar::load), new Some(grammar::create), grammar::METHODS;
    BigNumber load Some(bignum::load), new Some(bignum::create), bignum::METHODS;
    ByteArray load Some(bytearray::load), new Some(bytearray::create), bytearray::METHODS;
    CharacterSet load Some(charset::load), new Some(charset::create), charset::METHODS;
    RegexPattern load Some(pattern::load), new Some(pattern::create), pattern::METHODS;
    StackFrameDesc load None, new None, frame::METHODS;
    StackFrameRef load None, new None, &[];
    StringBuffer load Some(strbuf::load), new Some(strbuf::create), strbuf::METHODS;
    FileName load Some(filename::load), new Some(filename::create), filename::METHODS;
    File load None, new None, file::METHODS;
    TemporaryFile load None, new Some(filename::create_temporary), filename::TEMPORARY_METHODS;
    StringComparator load Some(comparator::load), new Some(comparator::create), comparator::METHODS;
    DynamicFunc load None, new Some(dynamic::create), dynamic::METHODS;
    Date load None, new Some(date::create), date::METHODS;
    TimeZone load None, new Some(zone::create), zone::METHODS;
};

/// The machine takes the row of a class by its number.
const _: () = {
    assert!(CLASSES.len() == Meta::ALL.len());
    let mut at = 0;
    while at < CLASSES.len() {
        assert!(CLASSES[at].meta as usize == at);
        at += 1;
    }
};
