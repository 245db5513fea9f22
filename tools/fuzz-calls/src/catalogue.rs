//! The functions and classes of an engine, as listed by a script that runs in it.

/// The script that lists what an engine has.
pub const SCRIPT: &str = include_str!("catalogue.php");

/// A parameter, as it is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// The alternatives of its type; none where nothing is declared.
    pub types: Vec<String>,
    pub optional: bool,
    pub variadic: bool,
    pub by_reference: bool,
}

/// A function or a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// The alternatives of its result's type.
    pub result: Vec<String>,
    pub is_static: bool,
    /// The method is final: a class below cannot override it.
    pub is_fixed: bool,
}

/// A class, an interface or an enum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    pub name: String,
    pub is_abstract: bool,
    pub is_enum: bool,
    pub is_final: bool,
    /// Its parents and interfaces.
    pub above: Vec<String>,
    pub methods: Vec<Function>,
    pub properties: Vec<String>,
    /// Names of constants that are integers.
    pub constants: Vec<String>,
    pub cases: Vec<String>,
}

impl Class {
    /// Is this class the one of this name, or below it?
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name) || self.above.iter().any(|above| above.eq_ignore_ascii_case(name))
    }

    /// Can the class have a subclass that declares nothing but a constructor?
    pub fn can_be_extended(&self) -> bool {
        !self.is_abstract && !self.is_enum && !self.is_final
    }
}

/// Everything that an engine has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    pub functions: Vec<Function>,
    pub classes: Vec<Class>,
}

impl Catalogue {
    /// Reads what [`SCRIPT`] writes; lines that say nothing known are passed over.
    pub fn parse(text: &str) -> Catalogue {
        let mut catalogue = Catalogue::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split('\t').collect();
            let [kind, name, rest @ ..] = words.as_slice() else { continue };
            match (*kind, catalogue.classes.last_mut()) {
                ("function", _) => catalogue.functions.push(function(name, rest)),
                ("class", _) => catalogue.classes.push(class(name, rest)),
                ("method", Some(class)) => class.methods.push(function(name, rest)),
                ("property", Some(class)) => class.properties.push((*name).to_owned()),
                ("constant", Some(class)) => class.constants.push((*name).to_owned()),
                ("case", Some(class)) => class.cases.push((*name).to_owned()),
                _ => {}
            }
        }
        catalogue
    }

    /// The classes whose objects are instances of `name`.
    pub fn below(&self, name: &str) -> Vec<&Class> {
        self.classes.iter().filter(|class| !class.is_abstract && class.is(name)).collect()
    }

    /// The class with this name, in any case of letters.
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.iter().find(|class| class.name.eq_ignore_ascii_case(name))
    }
}

fn class(name: &str, rest: &[&str]) -> Class {
    let flags = rest.first().copied().unwrap_or_default();
    Class {
        name: name.to_owned(),
        is_abstract: flags.contains('a'),
        is_enum: flags.contains('e'),
        is_final: flags.contains('f'),
        above: rest.iter().skip(1).filter(|name| !name.is_empty()).map(|name| (*name).to_owned()).collect(),
        ..Class::default()
    }
}

fn function(name: &str, rest: &[&str]) -> Function {
    let word = |at: usize| rest.get(at).copied().unwrap_or_default();
    Function {
        name: name.to_owned(),
        is_static: word(0).contains('s'),
        is_fixed: word(0).contains('f'),
        result: alternatives(word(1)),
        parameters: rest.iter().skip(2).filter_map(|word| parameter(word)).collect(),
    }
}

fn parameter(word: &str) -> Option<Parameter> {
    let (name, rest) = word.split_once(':')?;
    let (types, flags) = rest.rsplit_once(':')?;
    Some(Parameter {
        name: name.to_owned(),
        types: alternatives(types),
        optional: flags.contains('o'),
        variadic: flags.contains('v'),
        by_reference: flags.contains('r'),
    })
}

fn alternatives(text: &str) -> Vec<String> {
    let mut types: Vec<String> = text
        .split(['|', '&', '(', ')'])
        .map(|word| word.trim_start_matches('?').to_owned())
        .filter(|word| !word.is_empty())
        .collect();
    if text.starts_with('?') {
        types.push("null".to_owned());
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let text =
            "function\tf\t\t?int\ta:array|string:r\tb::ov\nclass\tB\tf\tA\tI\nmethod\tm\ts\tB\nproperty\tp\nnonsense";
        let catalogue = Catalogue::parse(text);
        let f = &catalogue.functions[0];
        assert_eq!(f.result, ["int", "null"]);
        assert_eq!(f.parameters[0].types, ["array", "string"]);
        assert!(f.parameters[0].by_reference && f.parameters[1].variadic && f.parameters[1].types.is_empty());
        assert!(catalogue.classes[0].is("a") && catalogue.classes[0].is_final);
        assert!(catalogue.classes[0].methods[0].is_static);
        assert_eq!(catalogue.below("I").len(), 1);
    }
}
