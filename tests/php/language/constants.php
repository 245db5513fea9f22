<?php
// Global, class and magic constants, in expressions and before their definition.
namespace App\Sub;

const A = 1, B = A + 1;
define('DYNAMIC', [1, 2, ['k' => B]]);
define('App\Sub\VIA_DEFINE', 'ns');
interface HasLimit { const LIMIT = 10; }
class Config implements HasLimit
{
    const DOUBLE = self::LIMIT * 2;
    const LIST = ['a' => self::DOUBLE, ...[1, 2]];
    protected const string NAME = 'typed' . B;
    final public const FLAG = PHP_VERSION_ID >= 80400 ? 'new' : 'old';
    public static function name() { return static::NAME . self::class; }
}
class Child extends Config { protected const string NAME = 'child'; }
echo A, B, \DYNAMIC[2]['k'], VIA_DEFINE, Config::DOUBLE, json_encode(Config::LIST), Config::FLAG, "\n";
echo Config::name(), Child::name(), HasLimit::LIMIT, "\n";
echo __LINE__, __NAMESPACE__, basename(__FILE__), basename(__DIR__), Config::class, \PHP_EOL;
echo namespace\A, \strlen('four'), strlen('fallback'), "\n";
var_dump(defined('DYNAMIC'), defined('NOPE'), defined('App\Sub\Config::LIST'));
try {
    echo UNKNOWN;
} catch (\Error $e) {
    echo $e->getMessage(), "\n";
}
try {
    echo Config::NAME;
} catch (\Error $e) {
    echo $e->getMessage(), "\n";
}
