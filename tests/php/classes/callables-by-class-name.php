<?php
class Upper {
    public function ask() { return [call_user_func(['Lower', 'name']), call_user_func([new Lower, 'name']), call_user_func('Lower::name')]; }
    private static function name() { return 'upper'; }
}
class Lower extends Upper {
    public static function name() { return 'lower'; }
}
print_r((new Lower)->ask());

// A static-looking call that ends in __call takes the one of the object's class.
class Plain { public function __call($n, $a) { return 'plain ' . $n; } }
class Fancy extends Plain {
    public function __call($n, $a) { return 'fancy ' . $n; }
    public function go() { return [Plain::a(), self::b(), parent::c(), $this->d()]; }
}
print_r((new Fancy)->go());

// Each use of a trait's static members is reported.
trait Shared {
    public static $n = 1;
    public static function hello() { return 'hello'; }
    public static function __callStatic($n, $a) { return "magic $n"; }
}
set_error_handler(function ($code, $text) { echo $text, "\n"; return true; });
for ($i = 0; $i < 3; $i++) {
    Shared::$n = $i;
    echo Shared::$n, Shared::hello(), Shared::other(), "\n";
}
