//! `PDORow`: a row of `PDO::FETCH_LAZY`, whose columns are both properties and array elements.

use phlox_runtime::class::{Member, MemberHooks, MemberUse, NativeHooks};
use phlox_runtime::number::{self, Number};
use phlox_runtime::{Edges, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, PhpStr, Val, Vm, convert};
use std::cell::RefCell;
use std::rc::Rc;

const MEMBERS: MemberHooks = MemberHooks { read, write, exists, unset };

/// The class `PDORow`.
pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "PDORow",
    decl: "final class PDORow { public string $queryString; }",
    methods: &[],
    hooks: NativeHooks {
        no_new: Some("You may not create a PDORow manually"),
        no_new_class: Some("PDOException"),
        no_clone: true,
        no_serialize: true,
        debug_info: Some(shown),
        own_properties: Some(&MEMBERS),
        own_elements: Some(&MEMBERS),
        ..NativeHooks::NONE
    },
}];

/// The native part of a `PDORow`: the current row of its statement.
pub struct Row {
    query: PhpStr,
    columns: RefCell<Vec<(PhpStr, Val)>>,
}

impl NativeData for Row {
    fn trace(&self, edges: &mut Edges) {
        self.columns.borrow().iter().for_each(|(_, value)| edges.value(value));
    }

    fn clear(&self) {}
}

/// Makes the `PDORow` of a statement.
pub fn create(vm: &Vm, query: PhpStr) -> PhpResult<PhpObj> {
    let object = vm.instantiate(&vm.require_class(b"PDORow")?)?;
    object.set_native(Rc::new(Row { query, columns: RefCell::default() }));
    Ok(object)
}

/// Replaces the columns when the statement has moved. Without columns there is no row any more.
pub fn renew(object: &PhpObj, columns: Vec<(PhpStr, Val)>) {
    if let Some(row) = row(object) {
        let former = row.columns.replace(columns);
        drop(former);
    }
}

impl Row {
    fn number(&self, number: i64) -> Option<Val> {
        Some(self.columns.borrow().get(usize::try_from(number).ok()?)?.1.clone())
    }

    /// A column by its number if the text is numeric, otherwise by its name.
    fn named(&self, name: &PhpStr) -> Option<Val> {
        match number::numeric(name) {
            Some(Number::Int(number)) => self.number(number),
            _ => self.columns.borrow().iter().find(|(column, _)| column == name).map(|(_, value)| value.clone()),
        }
    }

    fn find(&self, vm: &Vm, member: Member<'_>) -> PhpResult<Option<Val>> {
        Ok(match member {
            Member::Property(name) => self.named(name),
            Member::Element(None) => return Err(vm.throw_error(b"Cannot append to PDORow offset")),
            Member::Element(Some(offset)) => match offset.deref().as_int() {
                Some(number) => self.number(number),
                None => self.named(&convert::to_str(vm, &offset.deref())?),
            },
        })
    }
}

fn row(object: &PhpObj) -> Option<&Row> {
    object.native::<Row>()
}

fn is_query(member: Member<'_>) -> bool {
    match member {
        Member::Property(name) => name.as_bytes() == b"queryString",
        Member::Element(offset) => {
            offset.map(Val::deref).and_then(Val::into_str).is_some_and(|name| name.as_bytes() == b"queryString")
        }
    }
}

fn read(vm: &Vm, object: &PhpObj, member: Member<'_>, usage: MemberUse) -> PhpResult<Val> {
    let Some(row) = row(object) else { return Ok(Val::NULL) };
    if is_query(member) {
        return Ok(row.query.clone().into());
    }
    let value = row.find(vm, member)?.unwrap_or_default();
    if usage == MemberUse::Inside && matches!(member, Member::Element(_)) {
        vm.notice(b"Indirect modification of overloaded element of PDORow has no effect")?;
    }
    Ok(value)
}

fn exists(vm: &Vm, object: &PhpObj, member: Member<'_>, empty: bool) -> PhpResult<bool> {
    let Some(row) = row(object) else { return Ok(false) };
    let by_number = matches!(member, Member::Element(Some(offset)) if offset.deref().as_int().is_some());
    Ok(row.find(vm, member)?.is_some_and(|value| match empty {
        true => convert::to_bool(&value),
        false => by_number || !value.is_null(),
    }))
}

fn write(vm: &Vm, _: &PhpObj, member: Member<'_>, _: Val) -> PhpResult<()> {
    Err(vm.throw_error(match member {
        Member::Property(_) => b"Cannot write to PDORow property",
        Member::Element(None) => b"Cannot append to PDORow offset",
        Member::Element(Some(_)) => b"Cannot write to PDORow offset",
    }))
}

fn unset(vm: &Vm, _: &PhpObj, member: Member<'_>) -> PhpResult<()> {
    Err(vm.throw_error(match member {
        Member::Property(_) => b"Cannot unset PDORow property",
        Member::Element(_) => b"Cannot unset PDORow offset",
    }))
}

/// The properties that `var_dump` shows: the query, then the columns. A column `queryString` is hidden.
fn shown(_: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut table = PhpArr::new();
    if let Some(row) = row(object) {
        table.set_bytes(b"queryString", row.query.clone().into());
        for (name, value) in row.columns.borrow().iter() {
            if name.as_bytes() != b"queryString" {
                table.set_bytes(name, value.clone());
            }
        }
    }
    Ok(table)
}
