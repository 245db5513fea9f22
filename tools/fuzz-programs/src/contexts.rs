//! Closures and generators whose context changes between their runs: bound to an object, to an object of another class, to a class
//! alone, to another scope; made in methods and outside of classes.
//!
//! They have random numbers of their own, so that the rest of a program stays what it was for a seed.

use crate::program::Gen;
use crate::rng::Rng;

/// What the closures do with their context, in a loop over `$i` with a sum `$s`.
const STATEMENTS: &[&str] = &[
    "$s = self::up($s);\n",
    "$s = static::up($s);\n",
    "$s += self::$shared;\n",
    "self::$shared = ($s + $i) & 63;\n",
    "$s += static::STEP;\n",
    "$s += self::STEP;\n",
    "$s += \\strlen(static::class);\n",
    "$s += isset($this) ? 1 : 2;\n",
    "$s += isset($this) ? $this->own : 3;\n",
    "$s += isset($this) ? $this->add($i) : self::up($i);\n",
    "if (isset($this)) $this->own = ($this->own + $i) & 31;\n",
    "if (isset($this)) $s += $this->list[$i & 3] ?? 5;\n",
    "$s += isset($this->own) ? $this->own : 4;\n",
    "$s += $this->own ?? 6;\n",
    "if ($i > $late) $s += $this->own;\n",
    "if ($i > $late) $s += $this->add($s);\n",
    "if ($i > $late) $s += self::hidden($i);\n",
    "$s += (new static())->add($i);\n",
    "$s += (new self())->own;\n",
    "$o = isset($this) ? $this : new self();\n$s += $o instanceof static ? 1 : 0;\n",
    "$f = fn($x) => self::up($x) + (isset($this) ? $this->own : 0);\n$s += $f($i);\n",
    "$f = static fn($x) => static::up($x);\n$s += $f($i);\n",
    "$s += \\call_user_func([self::class, 'up'], $i);\n",
    "$s += \\array_sum(\\array_map(self::up(...), [$i, 2]));\n",
];
const OBJECTS: &[&str] = &["null", "null", "$base", "$child", "new Context()", "new ContextChild()"];
const SCOPES: &[&str] = &["Context::class", "Context::class", "ContextChild::class", "'static'", "\\Cell::class"];

/// The classes that the closures are bound to.
const CLASSES: &str = "class Context {\nconst STEP = 2; public $own = 3; public $list = [1, 2, 3]; protected static $shared = 1;\n\
    public static function up($x) { return ($x + static::STEP) & 1023; }\n\
    private static function hidden($x) { return $x ^ 5; }\n\
    public function add($x) { return ($x + $this->own) & 255; }\n";

impl Gen {
    /// Classes, closures and a function that runs them in changing contexts; and its call.
    pub fn context_functions(&mut self) -> (String, String) {
        let own = Rng::new(self.namespace() ^ 0x27d4_eb2f_1656_67c5);
        let others = std::mem::replace(&mut self.rng, own);
        let made = match self.rng.chance(30) {
            true => (self.context_program(), "run_contexts();\n".to_owned()),
            false => (String::new(), String::new()),
        };
        self.rng = others;
        made
    }

    fn context_program(&mut self) -> String {
        let (outside, inside) = (1 + self.rng.below(3), self.rng.below(3));
        let methods: String = (0..inside)
            .map(|number| format!("function made{number}() {{ return {}; }}\n", self.context_closure()))
            .collect();
        let mut closures: Vec<String> = (0..outside).map(|_| self.context_closure()).collect();
        closures.extend((0..inside).map(|number| format!("$base->made{number}()")));
        let binds: String = (0..4 + self.rng.below(5)).map(|_| self.context_run(closures.len())).collect();
        format!(
            "{CLASSES}{methods}}}\n\
             class ContextChild extends Context {{\nconst STEP = 7; public $own = 9;\n\
             public static function up($x) {{ return ($x * 3 + 1) & 1023; }}\n}}\n\
             function run_contexts() {{\n$base = new Context(); $child = new ContextChild();\n\
             $closures = [{}];\n{binds}}}\n",
            closures.join(",\n")
        )
    }

    /// A closure with a loop, or a generator; now and then one that never has an object.
    fn context_closure(&mut self) -> String {
        let count = 1 + self.rng.below(4);
        let body: String = (0..count).map(|_| self.rng.pick(STATEMENTS)).collect();
        let is_static = if self.rng.chance(10) { "static " } else { "" };
        let (yields, gives) = match self.rng.chance(35) {
            true => ("yield $s;\n", ""),
            false => ("", "return $s;\n"),
        };
        format!(
            "{is_static}function ($count, $late) {{\n$s = 0;\n\
             for ($i = 0; $i < $count; $i++) {{\n{body}$s &= 0xffff;\n{yields}}}\n{gives}}}"
        )
    }

    /// Binds a closure to a context, and runs it. Attempts that PHP refuses give a warning, which stays silent, and null.
    fn context_run(&mut self, closures: usize) -> String {
        let (object, scope) = (self.rng.pick(OBJECTS), self.rng.pick(SCOPES));
        let (number, rounds) = (self.rng.below(closures), self.rng.pick(&["3", "25", "60"]));
        let late = self.rng.pick(&["2", "20", "1000", "1000"]);
        let call = match self.rng.chance(15) {
            true => format!("$closures[{number}]->call({}, {rounds}, {late})", self.rng.pick(&["$base", "$child"])),
            false => format!("($f ?? fn() => 'refused')({rounds}, {late})"),
        };
        format!(
            "$f = @\\Closure::bind($closures[{number}], {object}, {scope});\n\
             try {{ $r = {call}; if ($r instanceof \\Generator) foreach ($r as $v) $r = $v; out($r); }} \
             catch (\\Throwable $e) {{ out(get_class($e), $e->getMessage()); }}\n"
        )
    }
}
