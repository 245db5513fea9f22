<?php
// sprintf with a literal format of %s and %d is no call of a function.
class Text
{
    public function __construct(private string $text) {}
    public function __toString(): string { echo "<{$this->text}>"; return $this->text; }
}
class Traced
{
    public function __toString(): string { return (new Exception)->getTraceAsString(); }
}
function say($x) { echo "say $x,"; return $x; }

var_dump(sprintf('plain'), sprintf(''), sprintf('100%%'), sprintf('%s', 1.5), sprintf('%d', '12abc'), sprintf('%d%%', 7.9));
var_dump(sprintf('%s and %d.', 'text', true), sprintf("%s%s%s", null, false, 3), sprintf('a%sb%dc', "x", -5));
var_dump(sprintf('%s|%s', new Text('one'), say(new Text('two'))));
var_dump(@sprintf('%s', [1]));
echo sprintf('%s', new Traced), "\n", sprintf("%s\n", new Traced);
try {
    echo sprintf('%s %s', say(1), new stdClass);
} catch (Error $e) {
    echo $e->getMessage(), "\n", $e->getTraceAsString(), "\n";
}
// Other formats, and calls that are not as the format says.
var_dump(sprintf('%5s|%-5s|%05d|%x|%1$s', 'a', 'b', 3, 255));
foreach ([fn() => sprintf('%s %s', 1), fn() => sprintf('%', 1), fn() => sprintf('%s'), fn() => sprintf(...['%s', 'x']),
    fn() => sprintf(format: '%s', values: 1), fn() => sprintf('%s', 1, 2)] as $call) {
    try {
        var_dump($call());
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
function change(&$x) { $x .= '!'; }
try {
    change(sprintf('%s', 'a'));
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
$format = sprintf(...);
var_dump($format('%s', 'first class'));
$i = 3;
var_dump(sprintf('%d %s', $i, "$i"), sprintf('%d', PHP_INT_MAX), sprintf('%d', 1e30), sprintf('%s', 1e30), sprintf('%d', null));
