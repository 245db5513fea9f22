//! Whether objects of a class have their properties at the same slots as those of another class: classes that inherit from it do,
//! mostly. Code that accesses a property of objects of many classes guards on this instead of comparing each class.

use super::host::class_of;
use crate::handlers::place_in_class;
use crate::megamorphic_cache;
use phlox_hhir::ClassId;
use phlox_runtime::{Access, ClassRef};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A class whose property slots code relies on, and the scope that decides which properties are visible.
pub struct Layout {
    class: u64,
    scope: Option<ClassRef>,
}

/// A class, and the class that the code belongs to, or 0.
type Key = (u64, u64);

thread_local! {
    /// The layouts that code guards on. They are never freed, because compiled code holds their addresses.
    static LAYOUTS: RefCell<HashMap<Key, &'static Layout>> = RefCell::default();
}

/// The address of the layout of a class, for code in a scope.
pub fn layout_of(class: u64, scope: Option<&ClassRef>) -> u64 {
    let key = (class, scope.map_or(0, |scope| Rc::as_ptr(scope) as u64));
    let layout = LAYOUTS.with_borrow_mut(|layouts| {
        *layouts.entry(key).or_insert_with(|| Box::leak(Box::new(Layout { class, scope: scope.cloned() })))
    });
    std::ptr::from_ref(layout) as u64
}

/// Whether objects of `class` have all properties that code in the layout's scope can access in objects of the layout's class, at
/// the same slots and with the same declared types.
pub fn fits(class: u64, layout: u64) -> bool {
    let key = megamorphic_cache::Key::of_layout(class, layout);
    if let Some(known) = megamorphic_cache::find(key) {
        return known != 0;
    }
    // SAFETY: `layout` was made by `layout_of`, whose layouts are never freed.
    let wanted = unsafe { &*(layout as *const Layout) };
    let access = Access { scope: wanted.scope.as_ref(), strict: false };
    let (own, like) = (class_of(ClassId(class)), class_of(ClassId(wanted.class)));
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

/// [`fits`] for compiled code: 1 or 0.
pub extern "C" fn has_layout(class: u64, layout: u64) -> u64 {
    u64::from(fits(class, layout))
}
