<?php
// Resolution of functions, constants and classes; use in all forms.
namespace App\Model {
    const LIMIT = 10;
    function helper() { return __FUNCTION__; }
    interface Thing {}
    class User implements Thing { const A = 'a'; public static function make() { return new static; } }
    function strlen($x) { return 'shadowed'; }
    echo strlen('x'), \strlen('xy'), namespace\strlen('z'), strtoupper('fallback'), "\n";
}
namespace Main {
    use App\Model\User;
    use App\Model\{User as Alias, Thing};
    use function App\Model\helper;
    use function App\Model\helper as h;
    use const App\Model\LIMIT;
    use App\Model;
    echo helper(), h(), LIMIT, User::A, Alias::class, Thing::class, Model\User::class, \get_class(Model\User::make()), "\n";
    var_dump(new User instanceof Alias, new User instanceof Thing, new User instanceof \App\Model\Thing, function_exists('Main\helper'));
    echo __NAMESPACE__, namespace\Local::class, PHP_VERSION_ID > 80000 ? 'php8' : '', \E_ALL, "\n";
    class Local { public function m() { return __CLASS__ . '|' . __METHOD__ . '|' . self::class; } }
    echo (new Local)->m(), "\n";
    $name = '\App\Model\User';
    echo (new $name)::A, \call_user_func('App\Model\helper'), \defined('App\Model\LIMIT') ? \constant('\App\Model\LIMIT') : 'no', "\n";
    try {
        missing();
    } catch (\Error $e) {
        echo $e->getMessage(), "\n";
    }
    try {
        new Missing;
    } catch (\Error $e) {
        echo $e->getMessage(), "\n";
    }
}
