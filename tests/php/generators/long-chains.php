<?php
// Generators that delegate to one another: who is asked, who is resumed, and what traces show, however long the chain is.
function numbers(int $count) { for ($i = 0; $i < $count; $i++) { $got = yield $i; if ($got !== null) { echo "got $got\n"; } } return $count; }
function around($inner, string $name = '') { try { $result = yield from $inner; if ($name !== '') { echo "$name has $result\n"; } return $result; } finally { if ($name !== '') { echo "$name ends\n"; } } }
function depth() { return count(debug_backtrace()); }
function traced(int $levels) { yield depth(); if ($levels > 0) { yield from traced($levels - 1); } yield depth(); }

echo "-- built from the inside\n";
$chain = numbers(3);
for ($i = 0; $i < 5000; $i++) { $chain = around($chain); }
foreach ($chain as $key => $value) { echo "$key=>$value\n"; }
echo $chain->getReturn(), "\n";

echo "-- traces\n";
foreach (traced(4) as $depth) { echo $depth, ' '; }
$sum = 0;
foreach (traced(1500) as $depth) { $sum += $depth; }
echo $sum, "\n";

echo "-- arrays and iterators at each level\n";
function mixed(int $levels) { yield from [$levels]; if ($levels > 0) { yield from mixed($levels - 1); } yield from new ArrayIterator([-$levels]); }
$sum = $count = 0;
foreach (mixed(3000) as $value) { $sum += $value; $count++; }
echo "$sum $count\n";

echo "-- two share an inner one\n";
$inner = around(numbers(6), 'shared');
$first = around($inner, 'first');
$second = around(around($inner), 'second');
echo $first->current(), $second->current(), "\n";
$first->next();
echo $first->current(), $second->current(), "\n";
$second->send('hello');
echo $first->current(), $second->current(), $inner->current(), "\n";
$inner->next();
echo $first->current(), $second->current(), "\n";
while ($second->valid()) { echo "second ", $second->current(), "\n"; $second->next(); }
var_dump($first->valid());
$first->next();
var_dump($first->valid(), $first->getReturn());

echo "-- an exception that each level catches\n";
function catching(int $levels) { try { if ($levels > 0) { yield from catching($levels - 1); } else { throw new Exception('inner'); } } catch (Exception $e) { yield $levels; throw new Exception("level $levels", 0, strlen($e->getMessage()) < 9 ? $e : null); } }
$sum = 0;
try { foreach (catching(2000) as $level) { $sum += $level; } } catch (Exception $e) { echo $e->getMessage(), "\n"; }
echo $sum, "\n";
$chain = catching(50);
$chain->current();
try { $chain->throw(new Exception('from outside')); } catch (Exception $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; }

echo "-- one that runs is delegated to\n";
function delegates_to_running() { global $running; yield 1; try { yield from around($running); } catch (Error $e) { echo $e->getMessage(), "\n"; } yield 2; }
$running = around(around(delegates_to_running()));
foreach ($running as $value) { echo $value, "\n"; }

echo "-- abandoned\n";
$chain = numbers(3);
foreach (['a', 'b', 'c'] as $name) { $chain = around($chain, $name); }
$chain->next();
unset($chain);
$chain = numbers(1);
for ($i = 0; $i < 2000; $i++) { $chain = around($chain); }
echo $chain->current(), "\n";
unset($chain);

echo "-- started before it is delegated to\n";
function started(int $levels) { $inner = $levels > 0 ? started($levels - 1) : numbers(3); $inner->current(); yield from $inner; yield "after $levels"; }
$last = '';
foreach (started(1000) as $value) { $last = $value; }
echo $last, "\n";
class Named { function __construct(public $name) {} function __destruct() { echo "destroyed {$this->name} at ", depth(), "\n"; } }
function holding($name, $inner) { $named = new Named($name); yield from $inner; }
foreach (holding('outer', holding('middle', holding('inner', [1]))) as $value) { echo $value, "\n"; }
