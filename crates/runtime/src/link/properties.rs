//! Declared properties: the draft's table, inheritance of a property, slots.

use super::draft::Draft;
use super::variance::{self, Obligation, Scope, Status};
use super::{kind_title, shown, text};
use crate::class::{Attrs, ClassExt, ClassRef, PropInfo, StaticProp};
use crate::error::PhpResult;
use crate::func::{Func, FuncBody};
use crate::strmap::StrMap;
use crate::types::TypeSpec;
use phlox_hhbc::{FuncFlags, FuncId, PropDef};
use phlox_value::{PhpStr, Slot, Val};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// The slot number of a property without a slot (static or virtual).
pub(crate) const NO_SLOT: usize = usize::MAX;

const VISIBILITY: u32 = Attrs::PUBLIC | Attrs::PROTECTED | Attrs::PRIVATE;
pub(crate) const SET_VISIBILITY: u32 = Attrs::PUBLIC_SET | Attrs::PROTECTED_SET | Attrs::PRIVATE_SET;

/// The strictness of a visibility: 0 for public, 1 for protected, 2 for private.
pub(crate) fn rank(attrs: Attrs) -> u32 {
    if attrs.has(Attrs::PRIVATE) { 2 } else { u32::from(attrs.has(Attrs::PROTECTED)) }
}

/// The word for a visibility in messages.
pub(crate) fn visibility_word(attrs: Attrs) -> &'static str {
    ["public", "protected", "private"][rank(attrs) as usize]
}

fn set_rank(attrs: Attrs) -> Option<u32> {
    if attrs.has(Attrs::PRIVATE_SET) {
        Some(2)
    } else if attrs.has(Attrs::PROTECTED_SET) {
        Some(1)
    } else {
        attrs.has(Attrs::PUBLIC_SET).then_some(0)
    }
}

/// A property of a class that is being linked.
pub(crate) enum Prop {
    /// A property of the class itself, which can still change.
    Own(Box<PropInfo>),
    Inherited(Rc<PropInfo>),
}

impl Prop {
    /// The property.
    pub fn info(&self) -> &PropInfo {
        match self {
            Prop::Own(info) => info,
            Prop::Inherited(info) => info,
        }
    }
}

enum SlotOwner {
    Own(PhpStr),
    Inherited(Rc<PropInfo>),
}

/// The properties and slots of a draft.
#[derive(Default)]
pub(crate) struct PropTable {
    pub by_name: StrMap<Prop>,
    slots: Vec<SlotOwner>,
}

impl PropTable {
    /// The property with this name.
    pub fn get(&self, name: &PhpStr) -> Option<&PropInfo> {
        self.by_name.get(name).map(Prop::info)
    }

    /// The class's own property with this name, for changing.
    pub fn own(&mut self, name: &PhpStr) -> Option<&mut PropInfo> {
        match self.by_name.get_mut(name) {
            Some(Prop::Own(info)) => Some(info),
            _ => None,
        }
    }

    /// Adds a property of the class itself; an instance property with storage gets the next slot.
    pub fn declare(&mut self, mut info: PropInfo) {
        let name = info.name.clone();
        let has_slot = !info.is_static() && !info.is_virtual();
        info.slot = if has_slot { self.slots.len() } else { NO_SLOT };
        if has_slot {
            self.slots.push(SlotOwner::Own(name.clone()));
        }
        self.by_name.insert(name, Prop::Own(Box::new(info)));
    }

    /// Puts the parent's slots before the class's own.
    pub fn prepend_slots(&mut self, parent: &[Rc<PropInfo>]) {
        let mut slots: Vec<SlotOwner> = parent.iter().map(|info| SlotOwner::Inherited(info.clone())).collect();
        slots.append(&mut self.slots);
        self.slots = slots;
        self.renumber();
    }

    /// Gives an own property a slot of the parent; its previous slot is removed.
    fn take_over(&mut self, name: &PhpStr, slot: usize) {
        self.slots.retain(|owner| !matches!(owner, SlotOwner::Own(own) if own == name));
        self.slots[slot] = SlotOwner::Own(name.clone());
        self.renumber();
    }

    fn renumber(&mut self) {
        for (index, owner) in self.slots.iter().enumerate() {
            if let SlotOwner::Own(name) = owner
                && let Some(Prop::Own(info)) = self.by_name.get_mut(name)
            {
                info.slot = index;
            }
        }
    }

    /// The class's property map and slot list.
    pub fn finish(self) -> (StrMap<Rc<PropInfo>>, Vec<Rc<PropInfo>>) {
        let props: StrMap<Rc<PropInfo>> = self
            .by_name
            .into_iter()
            .map(|(name, prop)| match prop {
                Prop::Own(info) => (name, Rc::new(*info)),
                Prop::Inherited(info) => (name, info),
            })
            .collect();
        let slots = self.slots.into_iter().filter_map(|owner| match owner {
            SlotOwner::Own(name) => props.get(&name).cloned(),
            SlotOwner::Inherited(info) => Some(info),
        });
        let slots = slots.collect();
        (props, slots)
    }
}

/// Makes implied modifiers explicit and removes redundant ones.
fn normalize(mut attrs: Attrs, readonly_class: bool) -> Attrs {
    if !attrs.has(VISIBILITY) {
        attrs.set(Attrs::PUBLIC);
    }
    if readonly_class && !attrs.has(Attrs::STATIC) {
        attrs.set(Attrs::READONLY);
    }
    if attrs.has(Attrs::PUBLIC) && attrs.has(Attrs::READONLY) && !attrs.has(SET_VISIBILITY) {
        attrs.set(Attrs::PROTECTED_SET);
    } else if let Some(set) = set_rank(attrs) {
        if set == rank(attrs) {
            attrs = Attrs(attrs.0 & !SET_VISIBILITY);
        }
        if attrs.has(Attrs::PRIVATE_SET) {
            attrs.set(Attrs::FINAL);
        }
    }
    attrs
}

/// The initial value of a property without a default: null without a type, "uninitialised" with one.
pub(crate) fn initial_value(info: &PropInfo) -> Val {
    if info.ty.is_some() { Val::UNDEF } else { Val::NULL }
}

/// A property without hooks and default, with a name, type and modifiers.
pub(crate) fn plain(draft: &Draft<'_>, name: &PhpStr, attrs: u32, ty: Option<Rc<TypeSpec>>, row: usize) -> PropInfo {
    let attrs = normalize(Attrs(attrs), draft.attrs.has(Attrs::READONLY));
    let statics = attrs
        .has(Attrs::STATIC)
        .then(|| Rc::new(StaticProp { slot: Slot::new(Val::UNDEF), initialized: Cell::new(false) }));
    PropInfo {
        name: name.clone(),
        attrs,
        ty,
        class: OnceCell::new(),
        slot: NO_SLOT,
        default: None,
        get_hook: None,
        set_hook: None,
        unit: draft.unit.clone(),
        origin: (draft.id, row),
        statics,
        prototype: RefCell::new(None),
    }
}

impl Draft<'_> {
    /// Adds the properties that the class declares itself.
    pub(super) fn add_own_properties(&mut self) {
        for (row, def) in self.def.properties.iter().enumerate() {
            let info = self.own_property(row, def);
            self.props.declare(info);
        }
    }

    fn own_property(&self, row: usize, def: &PropDef) -> PropInfo {
        let name = self.unit.str(def.name);
        let ty = def.ty.map(|ty| self.unit.ty(ty).clone());
        let mut attrs = def.attrs;
        let get_hook = def.get_hook.map(|id| self.own_hook(id));
        let set_hook = def.set_hook.map(|id| self.own_hook(id));
        // A hook with a body may use the stored value, which the emitter has checked.
        let all_abstract = get_hook.iter().chain(&set_hook).all(|hook| hook.is_abstract());
        if attrs.has(Attrs::ABSTRACT) && def.default.is_none() && all_abstract {
            attrs.set(Attrs::VIRTUAL);
        }
        PropInfo { default: def.default, get_hook, set_hook, ..plain(self, name, attrs.0, ty, row) }
    }

    fn own_hook(&self, id: FuncId) -> Rc<Func> {
        let mut func = Func::from_unit(self.unit, id, FuncBody::User);
        func.body = self.body_of(&func);
        Rc::new(func)
    }

    /// Inherits a property of the parent or of an interface.
    pub(super) fn inherit_property(&mut self, name: &PhpStr, parent: &Rc<PropInfo>) -> PhpResult<()> {
        let Some(child) = self.props.get(name) else {
            // A parent's private instance property keeps its slot but is not visible by name.
            if !parent.is_private() || parent.is_static() {
                self.props.by_name.insert(name.clone(), Prop::Inherited(parent.clone()));
            }
            return Ok(());
        };
        if parent.attrs.has(Attrs::FINAL) {
            let class = &parent.declarer().class().name;
            return Err(self.fatal(&text!["Cannot override final property ", shown(class), "::$", name]));
        }
        if parent.is_private() {
            return Ok(());
        }
        self.check_property_modifiers(name, child, parent)?;
        self.take_parent_slot(name, parent);
        self.inherit_hooks(name, parent)?;
        self.check_property_type(name, parent)
    }

    fn check_property_modifiers(&self, name: &PhpStr, child: &PropInfo, parent: &PropInfo) -> PhpResult<()> {
        let declarer = parent.declarer().class();
        let (old, new) = (shown(&declarer.name), shown(&self.name));
        if parent.is_static() != child.is_static() {
            let word = |info: &PropInfo| if info.is_static() { "static " } else { "non static " };
            let message =
                text!["Cannot redeclare ", word(parent), old, "::$", name, " as ", word(child), new, "::$", name];
            return Err(self.fatal(&message));
        }
        if parent.is_readonly() != child.is_readonly() && !parent.attrs.has(Attrs::ABSTRACT) {
            let word = |info: &PropInfo| if info.is_readonly() { "readonly" } else { "non-readonly" };
            let old = text![word(parent), " property ", old, "::$", name];
            return Err(self.fatal(&text!["Cannot redeclare ", &old, " as ", word(child), " ", new, "::$", name]));
        }
        let get_only = parent.has_hooks() && parent.is_virtual() && parent.set_hook.is_none();
        if let Some(set) = set_rank(child.attrs).filter(|_| !get_only) {
            let parent_set = set_rank(parent.attrs);
            if set > parent_set.unwrap_or(rank(parent.attrs)) {
                let word = ["omitted", "protected(set)", "private(set)"][parent_set.unwrap_or(0) as usize];
                let tail = if parent_set.is_some() { " or weaker" } else { "" };
                let place = text![new, "::$", name, " must be ", word, " (as in class ", old, ")", tail];
                return Err(self.fatal(&text!["Set access level of ", &place]));
            }
        }
        if rank(child.attrs) > rank(parent.attrs) {
            let tail = if parent.is_public() { "" } else { " or weaker" };
            let word = visibility_word(parent.attrs);
            let place = text![new, "::$", name, " must be ", word, " (as in class ", old, ")", tail];
            return Err(self.fatal(&text!["Access level to ", &place]));
        }
        Ok(())
    }

    /// Gives a redeclared property the parent's slot, so that the parent's code finds it there.
    fn take_parent_slot(&mut self, name: &PhpStr, parent: &Rc<PropInfo>) {
        let in_interface = parent.declarer().class().is_interface();
        let slot = parent.slot;
        let backed = !parent.is_static() && !parent.is_virtual();
        if let Some(child) = self.props.own(name) {
            if !in_interface {
                let root = parent.prototype.borrow().clone().unwrap_or_else(|| parent.clone());
                child.prototype.replace(Some(root));
            }
            if backed {
                child.attrs = Attrs(child.attrs.0 & !Attrs::VIRTUAL);
            }
        }
        if backed {
            self.props.take_over(name, slot);
        }
    }

    fn inherit_hooks(&mut self, name: &PhpStr, parent: &PropInfo) -> PhpResult<()> {
        for kind in [Hook::Get, Hook::Set] {
            let Some(old) = kind.of(parent).cloned() else { continue };
            let Some(child) = self.props.get(name) else { continue };
            match kind.of(child).cloned() {
                Some(new) => self.check_hook(&new, &old)?,
                None => {
                    if old.is_abstract() && has_operation(child, kind) {
                        continue;
                    }
                    if let Some(child) = self.props.own(name) {
                        *kind.place(child) = Some(old);
                    }
                }
            }
        }
        Ok(())
    }

    fn check_hook(&mut self, new: &Rc<Func>, old: &Rc<Func>) -> PhpResult<()> {
        let root = old.prototype.borrow().clone().unwrap_or_else(|| old.clone());
        new.prototype.replace(Some(root));
        if old.is_private() {
            return Ok(());
        }
        if old.has(FuncFlags::FINAL) {
            let class = old.scope.get().map_or(&self.name, |class| &class.class().name);
            let message = text!["Cannot override final property hook ", shown(class), "::", &old.name, "()"];
            return Err(self.fatal(&message));
        }
        self.check_method(new, old, super::methods::Checks::HOOK)
    }

    fn check_property_type(&mut self, name: &PhpStr, parent: &Rc<PropInfo>) -> PhpResult<()> {
        let Some(child) = self.props.get(name) else { return Ok(()) };
        let declarer = parent.declarer();
        let Some(parent_ty) = &parent.ty else {
            if child.ty.is_none() {
                return Ok(());
            }
            let class = &declarer.class().name;
            let place = text![shown(&self.name), "::$", name, " must not be defined (as in class ", shown(class), ")"];
            return Err(self.fatal(&text!["Type of ", &place]));
        };
        let variance = Variance::of(parent);
        let (own, old) = (Scope::Draft(self), Scope::Class(declarer.clone()));
        let status = types_compatible(&own, child, &old, parent, variance);
        if status == Status::Error {
            return Err(self.fatal(&property_type_message(&self.name, name, parent_ty, declarer, variance)));
        }
        if status == Status::Success && parent.attrs.has(Attrs::ABSTRACT) && child.set_hook_of_own().is_none() {
            let set_ty = parent.set_hook.as_ref().and_then(|hook| hook.params.first()?.ty.clone());
            if let (Some(set_ty), Some(child_ty)) = (set_ty, &child.ty)
                && variance::is_subtype(&old, &set_ty, &own, child_ty) == Status::Error
            {
                let display = super::signature::resolved_type(&set_ty, &old);
                let kind = kind_title(declarer.class().kind).to_ascii_lowercase();
                let place = text![shown(&self.name), "::$", name, " must be supertype of ", &display];
                let class = shown(&declarer.class().name);
                return Err(self.fatal(&text!["Set type of ", &place, " (as in ", &kind, " ", class, ")"]));
            }
        }
        if status == Status::Unresolved {
            let obligation = Obligation::Property { name: name.clone(), parent: parent.clone() };
            self.obligations.push(obligation);
        }
        Ok(())
    }
}

impl PropInfo {
    /// The set hook that the property's own class declares.
    fn set_hook_of_own(&self) -> Option<&Rc<Func>> {
        self.set_hook.as_ref().filter(|hook| hook.scope.get().is_none())
    }
}

/// The message about a property whose type is incompatible with that of the property that it redeclares.
pub(super) fn property_type_message(
    class: &[u8],
    name: &PhpStr,
    parent_ty: &TypeSpec,
    declarer: &ClassRef,
    variance: Variance,
) -> Vec<u8> {
    let relation = match variance {
        Variance::Invariant => "",
        Variance::Covariant => "subtype of ",
        Variance::Contravariant => "supertype of ",
    };
    let display = super::signature::resolved_type(parent_ty, &Scope::Class(declarer.clone()));
    let place = text![shown(class), "::$", name, " must be ", relation, &display];
    text!["Type of ", &place, " (as in class ", shown(&declarer.class().name), ")"]
}

/// The way in which a redeclared property's type may differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variance {
    Invariant,
    /// The parent's property can only be read, so the type may become narrower.
    Covariant,
    /// The parent's property can only be written, so the type may become wider.
    Contravariant,
}

impl Variance {
    /// The variance that the parent's property allows.
    pub fn of(parent: &PropInfo) -> Variance {
        match (parent.is_virtual() && parent.has_hooks(), &parent.get_hook, &parent.set_hook) {
            (true, _, None) => Variance::Covariant,
            (true, None, _) => Variance::Contravariant,
            _ => Variance::Invariant,
        }
    }
}

/// Compares the types of a property and of the property that it redeclares. As in PHP, types with one class name are compatible
/// if they are spelled equally, so that a subclass may repeat `?self`, though `self` means another class there.
pub(super) fn types_compatible(
    child_scope: &Scope<'_>,
    child: &PropInfo,
    parent_scope: &Scope<'_>,
    parent: &PropInfo,
    variance: Variance,
) -> Status {
    let (child_ty, parent_ty) = match (&child.ty, &parent.ty) {
        (Some(child), Some(parent)) => (child, parent),
        (None, None) => return Status::Success,
        _ => return Status::Error,
    };
    if child_ty.names_at_most_one_class() && child_ty.display == parent_ty.display {
        return Status::Success;
    }
    let down = match variance {
        Variance::Contravariant => Status::Success,
        _ => variance::is_subtype(child_scope, child_ty, parent_scope, parent_ty),
    };
    let up = match variance {
        Variance::Covariant => Status::Success,
        _ => variance::is_subtype(parent_scope, parent_ty, child_scope, child_ty),
    };
    down.and(up)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hook {
    Get,
    Set,
}

impl Hook {
    fn of(self, info: &PropInfo) -> Option<&Rc<Func>> {
        match self {
            Hook::Get => info.get_hook.as_ref(),
            Hook::Set => info.set_hook.as_ref(),
        }
    }

    fn place(self, info: &mut PropInfo) -> &mut Option<Rc<Func>> {
        match self {
            Hook::Get => &mut info.get_hook,
            Hook::Set => &mut info.set_hook,
        }
    }
}

/// Whether the property can be read (or written) without an inherited hook. Backed properties can, except for writes to readonly
/// ones.
fn has_operation(info: &PropInfo, kind: Hook) -> bool {
    !info.is_virtual() && (kind == Hook::Get || !info.is_readonly()) || kind.of(info).is_some()
}
