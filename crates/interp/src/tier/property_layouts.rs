//! Whether classes have their properties where another one has them: the classes that inherit from it, mostly. Code that reads or
//! writes a property of objects of many classes asks that instead of comparing each of them.

use super::host::class_of;
use crate::handlers::place_in_class;
use crate::megamorphic_cache;
use phlox_runtime::{Access, ClassRef};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A class whose properties are where code expects them, and the class in whose scope that is.
pub struct Layout {
    class: u64,
    scope: Option<ClassRef>,
}

/// A class, and the one that the code belongs to, or 0.
type Key = (u64, u64);

thread_local! {
    /// Those that code asks for. They live as long as it may run.
    static LAYOUTS: RefCell<HashMap<Key, &'static Layout>> = RefCell::default();
}

/// The layout of a class, for code in a scope.
pub fn layout_of(class: u64, scope: Option<&ClassRef>) -> u64 {
    let key = (class, scope.map_or(0, |scope| Rc::as_ptr(scope) as u64));
    let layout = LAYOUTS.with_borrow_mut(|layouts| {
        *layouts.entry(key).or_insert_with(|| Box::leak(Box::new(Layout { class, scope: scope.cloned() })))
    });
    std::ptr::from_ref(layout) as u64
}

/// Whether objects of a class have all that code in the scope reads and writes of those of another class, in the same places and of
/// the same kinds.
pub fn fits(class: u64, layout: u64) -> bool {
    let key = megamorphic_cache::Key::of_layout(class, layout);
    if let Some(known) = megamorphic_cache::find(key) {
        return known != 0;
    }
    // SAFETY: made by `layout_of`.
    let wanted = unsafe { &*(layout as *const Layout) };
    let access = Access { scope: wanted.scope.as_ref(), strict: false };
    let (own, like) = (class_of(class), class_of(wanted.class));
    let is_alike = |name, writes| {
        let expected = place_in_class(like, wanted.class, name, access, writes);
        expected.is_none_or(|expected| {
            let found = place_in_class(own, class, name, access, writes);
            found.is_some_and(|found| found.value == expected.value)
        })
    };
    let answer = class == wanted.class
        || like.slots.iter().all(|info| is_alike(&info.name, false) && is_alike(&info.name, true));
    megamorphic_cache::remember(key, u64::from(answer));
    answer
}

pub extern "C" fn has_layout(class: u64, layout: u64) -> u64 {
    u64::from(fits(class, layout))
}
