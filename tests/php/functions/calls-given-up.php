<?php
// Calls that do not happen free their arguments while the call is still pending: destructors run PHP code then.
class Busy {
    public function __construct(public int $number) {}
    public function __destruct() {
        $values = array_map(fn ($n) => str_repeat((string) $n, 2), range(1, 6));
        usort($values, fn ($a, $b) => $b <=> $a);
        echo "~{$this->number} ", implode(',', $values), "\n";
    }
    #[Deprecated] public function take(...$all) { return 'never'; }
    public function pair(Busy $a, Busy $b, $c) { return 'never'; }
}
#[Deprecated] function first($a, $b, $c) { return 'never'; }
abstract class Half { abstract public static function gone(); }
set_error_handler(function ($level, $message) { throw new Exception($message); });
$attempts = [
    fn () => call_user_func('first', new Busy(1), new Busy(2), new Busy(3)),
    fn () => call_user_func([$GLOBALS['keep'], 'take'], new Busy(5), new Busy(6)),
    fn () => array_map('first', [new Busy(7)], [new Busy(8)], [new Busy(9)]),
    fn () => (#[Deprecated] function ($x, $y) {})(new Busy(13), new Busy(14)),
    fn () => iterator_apply(new ArrayIterator([1]), [new Busy(15), 'take'], [new Busy(16), new Busy(17)]),
    fn () => usort($GLOBALS['list'], 'first'),
    fn () => (new Busy(18))->pair(new Busy(19), new Busy(20)),
    fn () => call_user_func([$GLOBALS['keep'], 'pair'], new Busy(22), new Busy(23)),
    fn () => call_user_func('Half::gone', new Busy(24)),
];
$keep = new Busy(40);
$list = [new Busy(30), new Busy(31)];
foreach ($attempts as $attempt) {
    try { var_dump($attempt()); } catch (Throwable $e) { echo $e->getMessage() === '' ? 'none' : preg_replace('/ in .*/', '', $e->getMessage()), "\n"; }
    unset($e);
}
