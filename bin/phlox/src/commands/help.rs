//! The text of `-h`.

/// The help, with the name the program was called by.
pub fn text(program: &[u8]) -> String {
    let name = program.rsplit(|b| *b == b'/').next().unwrap_or(b"phlox");
    TEXT.replace("{name}", &String::from_utf8_lossy(name))
}

const TEXT: &str = "\
Usage: {name} [options] [-f] <file> [--] [args...]
   {name} [options] -r <code> [--] [args...]
   {name} [options] [-B <code>] -R <code> [-E <code>] [--] [args...]
   {name} [options] [-B <code>] -F <file> [-E <code>] [--] [args...]
   {name} [options] -- [args...]
   {name} [options] -a
   {name} check|dump|compile|asm|dis|verify|repeat|cgi ...

Running:
  -f <file>         Run a file; a file alone means the same.
  -r <code>         Run code that has no <?php tag.
  -B <code>         Run code before the first line of input.
  -R <code>         Run code for each line of input ($argn, number $argi).
  -F <file>         Run a file for each line of input.
  -E <code>         Run code after the last line of input.
  -a                Type programs at a prompt.
  --                End of the options; what follows is for the program.
  -S <host:port>    Serve a folder over HTTP, for development; -t names the folder, the file is asked first.

Settings:
  -c <path>         Take this php.ini, or the one in this folder.
  -n                Take no php.ini.
  -d <name>[=value] Set something as php.ini would; 1 if there is no value.
  --ini             Say which files are read.

Looking at programs:
  -l                Only say whether the files are well-formed.
  -s                Show the file with its syntax in colour (HTML).
  -w                Show the file without comments and white space.

Looking at the engine:
  -h                This text.
  -i                All about this installation.
  -m                The extensions that are built in.
  -v                The version.
  --stats           When the program ends, say on standard error what the engine did.
  --rf <name>       A function.
  --rc <name>       A class.
  --re <name>       An extension.
  --ri <name>       An extension's settings.
  --rz <name>       A Zend extension.

Accepted for the sake of scripts written for php: -C -e -H -q -z

Phlox's own:
  {name} check <file>...                  Diagnostics with the lines they are about.
  {name} dump --ast|--hhbc|--oplines <file>  The syntax tree, the bytecode or the oplines.
  {name} dump --hhir[=pass]|--clif[=legalised]|--asm <file>  Runs the program, and shows what is made machine code of.
  {name} compile <file> [-o <unit.phbc>]  Compile; `{name} <unit.phbc>` runs it.
  {name} dis <unit.phbc> [-o <text.phas>] Bytecode as text.
  {name} asm <text.phas> [-o <unit.phbc>] And back.
  {name} cgi [<file>]                     Answer a request of a web server, as php-cgi does.
  {name} verify <unit>                    Does a unit (.phbc or .phas) obey the rules?
  {name} repeat <count> [options] <file>  Answer several requests in one process, as a web server's process does.
  {name} hhir <text.hhir> [<pass>...]     Verify a unit of HHIR, run passes over it (all, if none is named) and print it.

";
