//! `--rf --rc --re --ri --rz`: PHP's Reflection classes print themselves.

use super::scripts;
use crate::args::Reflected;
use phlox_engine::{Configuration, EXTENSIONS, Options};

/// Prints what reflection knows about `name`.
pub fn show(what: Reflected, name: &[u8], configuration: &Configuration) -> i32 {
    let subject = match what {
        Reflected::Function => {
            "str_contains($argv[1], '::') ? ReflectionMethod::createFromMethodName($argv[1]) : new ReflectionFunction($argv[1])"
        }
        Reflected::Class => "new ReflectionClass($argv[1])",
        Reflected::Extension => "new ReflectionExtension($argv[1])",
        Reflected::ZendExtension => "new ReflectionZendExtension($argv[1])",
        Reflected::ExtensionInfo => return extension_info(name, configuration),
    };
    let has_reflection = EXTENSIONS.iter().any(|extension| extension.name.eq_ignore_ascii_case("reflection"));
    if !has_reflection {
        eprintln!("Reflection is not built in yet.");
        return 1;
    }
    let code = format!(
        "try {{ echo {subject}, \"\\n\"; }} catch (Throwable $e) {{ echo 'Exception: ', $e->getMessage(), \"\\n\"; exit(1); }}"
    );
    run_code(&code, name, configuration)
}

/// Runs code that has the name as its argument.
fn run_code(code: &str, name: &[u8], configuration: &Configuration) -> i32 {
    let program = scripts::code_program(b"Command line code", code.as_bytes());
    let argv = vec![scripts::STANDARD_INPUT.to_vec(), name.to_vec()];
    phlox_engine::run(&program, &Options { ini: configuration.settings.clone(), argv, ..Options::default() })
}

/// What `phpinfo` says of an extension; `main` is the engine's own settings.
fn extension_info(name: &[u8], configuration: &Configuration) -> i32 {
    let asked = String::from_utf8_lossy(name);
    if EXTENSIONS.iter().any(|extension| extension.name.eq_ignore_ascii_case(&asked)) {
        return run_code("(new ReflectionExtension($argv[1]))->info();", name, configuration);
    }
    if asked != "main" {
        say_line!("Extension '{asked}' not present.");
        return 1;
    }
    let options = Options { ini: configuration.settings.clone(), ..Options::default() };
    phlox_engine::session(&options, |session| {
        let mut text = "\n".to_owned();
        let settings = session.settings();
        let own: Vec<_> = settings.iter().filter(|state| state.extension == "Core").collect();
        text.push_str("Directive => Local Value => Master Value\n");
        for state in own {
            let [local, global] = [state.value(), state.original()].map(|value| {
                let shown = state.def.display(value.as_ref(), true);
                shown.map_or("no value".to_owned(), |text| String::from_utf8_lossy(&text).into_owned())
            });
            text.push_str(&format!("{} => {local} => {global}\n", state.def.name));
        }
        session.echo(text.as_bytes());
    })
}
