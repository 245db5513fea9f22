//! The forms in which rows are fetched.

use crate::connection::{Connection, key};
use crate::driver::Prepared;
use crate::row;
use phlox_runtime::{
    Call, ClassExt, ClassRef, Key, ObjExt, PhpArr, PhpObj, PhpRef, PhpResult, PhpStr, Thrown, Val, View, Vm, convert,
    props,
};
use std::cell::RefCell;

/// `PDO::FETCH_LAZY`.
pub const LAZY: i64 = 1;
/// `PDO::FETCH_ASSOC`.
pub const ASSOC: i64 = 2;
/// `PDO::FETCH_NUM`.
pub const NUM: i64 = 3;
/// `PDO::FETCH_BOTH`.
pub const BOTH: i64 = 4;
/// `PDO::FETCH_OBJ`.
pub const OBJ: i64 = 5;
/// `PDO::FETCH_BOUND`.
pub const BOUND: i64 = 6;
/// `PDO::FETCH_COLUMN`.
pub const COLUMN: i64 = 7;
/// `PDO::FETCH_CLASS`.
pub const CLASS: i64 = 8;
/// `PDO::FETCH_INTO`.
pub const INTO: i64 = 9;
/// `PDO::FETCH_FUNC`.
pub const FUNC: i64 = 10;
/// `PDO::FETCH_NAMED`.
pub const NAMED: i64 = 11;
/// `PDO::FETCH_KEY_PAIR`.
pub const KEY_PAIR: i64 = 12;
/// The bits of flags, above those of the mode.
pub const FLAGS: i64 = 0xFFFF_0000;
/// `PDO::FETCH_GROUP`.
pub const GROUP: i64 = 0x1_0000;
/// `PDO::FETCH_UNIQUE`.
pub const UNIQUE: i64 = 0x3_0000;
/// `PDO::FETCH_CLASSTYPE`.
pub const CLASSTYPE: i64 = 0x4_0000;
/// `PDO::FETCH_SERIALIZE`.
pub const SERIALIZE: i64 = 0x8_0000;
/// `PDO::FETCH_PROPS_LATE`.
pub const PROPS_LATE: i64 = 0x10_0000;

/// A fetch mode with its arguments.
#[derive(Clone, Default)]
pub struct Mode {
    /// The mode without its flags.
    pub kind: i64,
    /// The flags of the mode.
    pub flags: i64,
    /// The column of `PDO::FETCH_COLUMN`.
    pub column: Option<i64>,
    /// The class of `PDO::FETCH_CLASS`.
    pub class: Option<ClassRef>,
    /// The arguments of the class's constructor.
    pub args: Vec<Val>,
    /// The object of `PDO::FETCH_INTO`.
    pub into: Option<PhpObj>,
    /// The function of `PDO::FETCH_FUNC`.
    pub function: Val,
}

impl Mode {
    /// A mode without arguments.
    pub fn simple(mode: i64) -> Mode {
        Mode { kind: mode & !FLAGS, flags: mode & FLAGS, ..Mode::default() }
    }

    /// A mode from the arguments: its number is argument `at`, and its own arguments follow. `names_class`: a class may
    /// be named even if the rows name theirs.
    pub fn parse(call: &Call<'_>, number: i64, at: usize, names_class: bool) -> PhpResult<Mode> {
        let mut mode = Mode::simple(number);
        if !(0..=KEY_PAIR).contains(&mode.kind) || number < 0 {
            return Err(call.value_error(at, "must be a bitmask of PDO::FETCH_* constants"));
        }
        if mode.kind == FUNC {
            return Err(call.vm.throw_value_error(b"Can only use PDO::FETCH_FUNC in PDOStatement::fetchAll()"));
        }
        let given = call.args.len().min(call.passed).saturating_sub(at + 1);
        let rest = call.rest(at + 1);
        let given = given.max(rest.len());
        let count_error = |bound: &str, count: usize| {
            let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
            let text = format!(
                "{name}() expects {bound} {count} arguments for the fetch mode provided, {} given",
                at + 1 + given
            );
            call.vm.throw(Thrown::ArgumentCountError, text.as_bytes())
        };
        match mode.kind {
            COLUMN => {
                if given != 1 {
                    return Err(count_error("exactly", at + 2));
                }
                match rest[0].deref().view() {
                    View::Int(column @ 0..) => mode.column = Some(column),
                    View::Int(_) => return Err(call.value_error(at + 1, "must be greater than or equal to 0")),
                    _ => {
                        let given = convert::value_name(&rest[0]);
                        return Err(call.type_error(at + 1, &format!("must be of type int, {given} given")));
                    }
                }
            }
            CLASS if mode.flags & CLASSTYPE == 0 || names_class => {
                if given == 0 {
                    return Err(count_error("at least", at + 2));
                }
                if given > 2 {
                    return Err(count_error("at most", at + 3));
                }
                mode.class = Some(class_argument(call, &rest[0], at + 1)?);
                if let Some(args) = rest.get(1).map(Val::deref).filter(|args| !args.is_null()) {
                    let Some(list) = args.as_arr() else {
                        let given = convert::value_name(&args);
                        return Err(call.type_error(at + 2, &format!("must be of type ?array, {given} given")));
                    };
                    mode.args = arguments(list);
                }
            }
            INTO => {
                if given != 1 {
                    return Err(count_error("exactly", at + 2));
                }
                let object = rest[0].deref();
                let Some(object) = object.as_obj() else {
                    let given = convert::value_name(&object);
                    return Err(call.type_error(at + 1, &format!("must be of type object, {given} given")));
                };
                mode.into = Some(object.clone());
            }
            _ if given > 0 => return Err(count_error("exactly", at + 1)),
            _ => {}
        }
        Ok(mode)
    }
}

/// Arguments for a constructor, made references so that changes by one call are seen by the next.
pub fn arguments(list: &PhpArr) -> Vec<Val> {
    let reference = |value: &Val| if value.is_ref() { value.clone() } else { PhpRef::new(value.clone()).into() };
    list.iter().map(|(_, value)| reference(value)).collect()
}

/// The class that an argument names. Throws if there is none.
pub fn class_argument(call: &Call<'_>, value: &Val, at: usize) -> PhpResult<ClassRef> {
    let value = value.deref();
    let Some(name) = value.as_str() else {
        let given = convert::value_name(&value);
        return Err(call.type_error(at, &format!("must be of type string, {given} given")));
    };
    match call.vm.find_class(name)? {
        Some(class) => Ok(class),
        None if call.func.name.as_bytes() == b"fetchObject" => {
            Err(call.type_error(at, &format!("must be a valid class name, {name} given")))
        }
        None => Err(call.type_error(at, "must be a valid class")),
    }
}

/// The current row of a statement, with the settings of its connection.
pub struct Row<'a> {
    pub vm: &'a Vm,
    pub connection: &'a Connection,
    pub prepared: &'a dyn Prepared,
    /// The text of the statement.
    pub sql: PhpStr,
    /// The `PDORow` of the statement, if it has made one.
    pub lazy: &'a RefCell<Option<PhpObj>>,
}

impl Row<'_> {
    /// The names and values of the columns from `from` on.
    pub fn columns(&self, from: usize) -> PhpResult<Vec<(PhpStr, Val)>> {
        (from..self.count()).map(|column| Ok((self.name(column), self.value(column)?))).collect()
    }

    /// The `PDORow` of the statement, which shows the current row.
    fn lazy(&self, from: usize) -> PhpResult<PhpObj> {
        let known = self.lazy.borrow().clone();
        let object = match known {
            Some(object) => object,
            None => row::create(self.vm, self.sql.clone())?,
        };
        row::renew(&object, self.columns(from)?);
        let former = self.lazy.replace(Some(object.clone()));
        drop(former);
        Ok(object)
    }

    /// The number of columns.
    pub fn count(&self) -> usize {
        self.prepared.column_count()
    }

    /// The name of a column, in the case that the connection asks for.
    pub fn name(&self, column: usize) -> PhpStr {
        let name = self.prepared.column_name(column);
        PhpStr::new(&match self.connection.case.get() {
            1 => name.to_ascii_uppercase(),
            2 => name.to_ascii_lowercase(),
            _ => name,
        })
    }

    /// The value of a column, with null, empty and numeric values converted as the connection asks.
    pub fn value(&self, column: usize) -> PhpResult<Val> {
        let value = self.prepared.column(column);
        Ok(match (value.view(), self.connection.nulls.get()) {
            (View::Null, 2) => "".into(),
            (View::Str(text), 1) if text.is_empty() => Val::NULL,
            (View::Int(_) | View::Double(_), _) if self.connection.stringifies.get() => {
                convert::to_str(self.vm, &value)?.into()
            }
            _ => value,
        })
    }

    fn array(&self, kind: i64, from: usize) -> PhpResult<PhpArr> {
        let mut row = PhpArr::new();
        for column in from..self.count() {
            let value = self.value(column)?;
            let name = self.name(column);
            if kind == NAMED {
                add_named(&mut row, &name, value);
                continue;
            }
            if kind != NUM {
                row.set_bytes(&name, value.clone());
            }
            if kind != ASSOC {
                // Together with names, a column has its number in the row; alone, columns count from 0.
                let index = Key::Int(if kind == NUM { column - from } else { column } as i64);
                if kind == NUM || !row.contains(index) {
                    row.insert(index, value);
                }
            }
        }
        Ok(row)
    }

    /// Sets properties of an object, in the scope of its class if `inside`.
    fn fill(&self, object: &PhpObj, from: usize, inside: bool) -> PhpResult<()> {
        // An error handler may drop the only other reference to the object while it is filled.
        let held = object.clone();
        let class = held.class().handle();
        let access = props::Access { scope: inside.then_some(&class), strict: false };
        for column in from..self.count() {
            props::write(self.vm, object, &self.name(column), self.value(column)?, access)?;
        }
        Ok(())
    }

    fn object(&self, mode: &Mode, from: usize) -> PhpResult<PhpObj> {
        let mut from = from;
        let class = if mode.flags & CLASSTYPE != 0 {
            let name = convert::to_str(self.vm, &self.value(0)?)?;
            from += 1;
            self.vm.find_class(&name)?.or_else(|| mode.class.clone())
        } else {
            mode.class.clone()
        };
        let class = match class {
            Some(class) => class,
            None => self.vm.require_class(b"stdClass")?,
        };
        let object = self.vm.instantiate(&class)?;
        if mode.flags & SERIALIZE != 0 {
            // The first column is the serialised object, whose constructor is not called.
            self.vm.call_method(&object, b"unserialize", vec![self.value(from)?])?;
            self.fill(&object, from + 1, true)?;
            return Ok(object);
        }
        if mode.flags & PROPS_LATE == 0 {
            self.fill(&object, from, true)?;
        }
        if class.class().magic.construct.is_some() {
            self.vm.call_method(&object, b"__construct", mode.args.clone())?;
        } else if !mode.args.is_empty() {
            return Err(self.vm.throw_error(b"User-supplied statement does not accept constructor arguments"));
        }
        if mode.flags & PROPS_LATE != 0 {
            self.fill(&object, from, true)?;
        }
        Ok(object)
    }

    /// The row in the form of a mode, without the first `from` columns.
    pub fn shape(&self, mode: &Mode, from: usize) -> PhpResult<Val> {
        Ok(match mode.kind {
            ASSOC | NUM | BOTH | NAMED => self.array(mode.kind, from)?.into(),
            BOUND => Val::TRUE,
            COLUMN => {
                let column = mode.column.map_or(from, |column| column as usize);
                if column >= self.count() {
                    return Err(self.vm.throw_value_error(b"Invalid column index"));
                }
                self.value(column)?
            }
            KEY_PAIR => {
                let mut pair = PhpArr::new();
                let name = key(&self.value(0)?);
                pair.insert(name.as_key(), self.value(1)?);
                pair.into()
            }
            OBJ => {
                let object = self.vm.instantiate(&self.vm.require_class(b"stdClass")?)?;
                self.fill(&object, from, true)?;
                object.into()
            }
            LAZY => self.lazy(from)?.into(),
            CLASS => self.object(mode, from)?.into(),
            INTO => match &mode.into {
                Some(object) => {
                    self.fill(object, from, false)?;
                    object.into()
                }
                None => Val::FALSE,
            },
            FUNC => {
                let args = (from..self.count()).map(|column| self.value(column)).collect::<PhpResult<Vec<Val>>>()?;
                self.vm.call_value(&mode.function, args)?.into_deref()
            }
            _ => Val::FALSE,
        })
    }
}

/// Adds a column. Columns with one name become a list of values.
fn add_named(row: &mut PhpArr, name: &[u8], value: Val) {
    let old = row.get_bytes(name).cloned();
    let value = match old {
        None => value,
        Some(old) => {
            let mut list = old.as_arr().cloned().unwrap_or_else(|| [old].into_iter().collect());
            let _ = list.push(value);
            list.into()
        }
    };
    row.set_bytes(name, value);
}
