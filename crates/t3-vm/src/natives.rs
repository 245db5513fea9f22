//! The form in which tables of native methods and functions are written.

/// The most arguments a method can take.
pub const ANY: u8 = 255;

/// Names of the methods that belong to a class itself.
pub struct StaticNames(&'static [&'static str]);

/// The methods that are called on a class: to make objects, or about nothing in particular.
pub const STATIC: StaticNames = StaticNames(&[
    "generate",
    "packBytes",
    "createInstance",
    "createTransientInstance",
    "createInstanceOf",
    "createTransientInstanceOf",
    "getPi",
    "getE",
    "openTextFile",
    "openDataFile",
    "openRawFile",
    "openTextResource",
    "openRawResource",
    "getRootName",
    "deleteFile",
    "fromUniversal",
    "getRootDirs",
    "parseDate",
    "parseJulianDate",
    "setLocaleInfo",
]);

impl StaticNames {
    /// Whether a name is among them, at compile time.
    pub const fn contains_name(&self, name: &str) -> bool {
        let mut at = 0;
        while at < self.0.len() {
            if same(self.0[at].as_bytes(), name.as_bytes()) {
                return true;
            }
            at += 1;
        }
        false
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Method tables: `name min max => function, ...;` with `static` before the name of a method of the class itself.
#[macro_export]
macro_rules! methods {
    ($($name:ident $min:literal $max:tt => $run:path,)*) => {
        &[$($crate::vm::Method {
            name: stringify!($name),
            min: $min,
            max: $crate::methods!(@max $max),
            is_static: $crate::natives::STATIC.contains_name(stringify!($name)),
            run: $run,
        },)*]
    };
    (@max any) => { $crate::natives::ANY };
    (@max $max:literal) => { $max };
}

/// Function tables: `name min max => function, ...;`.
#[macro_export]
macro_rules! functions {
    ($($name:ident $min:literal $max:tt => $run:path,)*) => {
        &[$($crate::vm::Builtin {
            name: stringify!($name),
            min: $min,
            max: $crate::methods!(@max $max),
            run: $run,
        },)*]
    };
}
