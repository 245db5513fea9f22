<?php // Static properties that are read and changed: by every way of naming the class, with types, and where things are missing.
#[AllowDynamicProperties] class Base { public static $n = 1; public static array $list = []; public static ?Base $other = null; protected static int $typed = 5; private static $secret = ['a' => 1]; public static int $late;
    static function run($i) {
        self::$n = $i; self::$n += 2; echo self::$n++, ++self::$n, "\n";
        self::$list['k'] = $i; self::$list[] = 3; static::$list[$i * 100 + 50]['x'] = 1; self::$list['k'] .= 'x';
        echo isset(self::$list[$i * 100 + 50]['x']) ? 'set' : 'not', isset(self::$list['no']['x']) ? 'set' : 'not', empty(self::$list['no']) ? 'empty' : 'full', "\n";
        unset(self::$list['k']); echo json_encode(self::$list), count(self::$list), self::$list[0] ?? 'none', self::$list['q'] ?? 'none', "\n";
        self::$typed = '7'; self::$typed .= '1'; var_dump(self::$typed, static::$typed);
        self::$secret['b'][] = self::$secret['a'] ? 'yes' : 'no'; echo json_encode(self::$secret), "\n";
        self::$other = new Base; self::$other->dyn ??= 1; self::$other->prop['x'] = 2; echo json_encode(self::$other), "\n";
    }
    static function id() { return static::$list[] = static::class; }
    static function late() { try { return self::$late; } catch (Error $e) { return $e->getMessage(); } }
    static function next() { return ++self::$n; }
    public $prop;
}
class Child extends Base { public static array $list = ['child']; static function up() { return parent::$n . json_encode(parent::$list) . json_encode(self::$list); } }
error_reporting(E_ALL & ~E_DEPRECATED);
for ($i = 0; $i < 3; $i++) { Base::run($i); }
Base::id(); Child::id(); Base::id(); echo json_encode(Base::$list), json_encode(Child::$list), Child::up(), "\n";
echo Base::late(), isset(Base::$late) ? 'set' : 'not', Base::$late ?? 'missing', "\n"; Base::$late = 3; echo Base::late(), Base::next(), Base::next(), "\n";
foreach ([fn() => Base::$none = 1, fn() => Base::$none, fn() => Base::$none[1] = 2, fn() => Base::$none ?? 'quiet', fn() => isset(Base::$none), fn() => isset(Base::$secret['a']), fn() => Base::$secret, fn() => Base::$typed = 1, fn() => Missing::$x, fn() => Missing::$x[] = 1, fn() => Base::$list = 'text', fn() => Base::$late = 'text', fn() => Base::$list[[]] = 1, fn() => Base::$n->x = 1] as $f) {
    for ($j = 0; $j < 2; $j++) { try { echo json_encode($f()), "\n"; } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; } }
}
function side($what) { echo "[$what]"; return $what; }
Base::$list = []; Base::$list[side('a')][side('b')] = side('c'); Base::$list[side('a')][side('d')] = Base::$n ? side('e') : side('f'); echo json_encode(Base::$list), "\n";
$r = &Base::$n; $r = 10; Base::$n += 5; echo $r, Base::$n++, $r, "\n"; Base::$n = 'x'; echo $r, "\n";
function gen() { Base::$list['gen'] = yield 1; Base::$list['two'][yield 2] = yield 3; }
$g = gen(); $g->current(); $g->send('sent'); $g->send('key'); $g->send('value'); echo json_encode(Base::$list), "\n";
spl_autoload_register(function ($class) { echo "[load $class]"; eval("class $class { static \$v = 1; static \$w = []; }"); });
Loaded::$v = 2; Loaded2::$w['x'] = 1; echo Loaded::$v, json_encode(Loaded2::$w), Loaded3::$v ?? 'q', isset(Loaded4::$w['x']) ? 1 : 0, "\n";
