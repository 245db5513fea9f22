<?php
// Generators that others delegate to: shared ones, ones that end or throw, closing, traces.

function source() { try { yield 1; yield 2; yield 3; return "result"; } finally { echo "source ends\n"; } }
function relay($inner) { $got = yield from $inner; echo "relay got ", var_export($got, true), "\n"; }

$source = source();
$a = relay($source);
$b = relay($source);
echo $a->current(), $b->current(), "\n";
$a->next();
echo $a->current(), $b->current(), "\n";
$b->next();
$a->next();
var_dump($a->valid(), $b->valid(), $source->getReturn());

function failing() { yield 1; throw new LogicException("inside"); }
$shared = failing();
$first = relay($shared);
$second = relay($shared);
$first->current();
$second->current();
try {
    $first->next();
} catch (LogicException $e) {
    echo $e->getMessage(), " ", count($e->getTrace()), "\n";
}
try {
    $second->next();
} catch (ClosedGeneratorException $e) {
    echo $e->getMessage(), "\n";
}

function stubborn() { try { yield 1; } finally { echo "closing\n"; yield 2; } }
$g = stubborn();
$g->rewind();
try {
    unset($g);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
function persistent() { try { yield 1; } finally { yield from [1]; } }
$g = persistent();
$g->rewind();
try {
    unset($g);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}

function deep($n) { if ($n > 0) { yield from deep($n - 1); } else { yield "bottom"; } }
foreach (deep(20000) as $value) {
    echo $value, "\n";
}

foreach ([fn() => source(), fn() => (function () { yield 1; })()] as $make) {
    try {
        foreach ($make() as &$value) {
        }
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }
}
$done = (function () { yield 1; })();
foreach ($done as $_) {
}
try {
    foreach ($done as $_) {
    }
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
print_r($done);

function selfish() { global $me; try { $me->next(); } catch (Error $e) { echo $e->getMessage(), "\n"; } yield 1; }
$me = selfish();
echo $me->current(), "\n";

$cycle = new stdClass();
$cycle->g = (function () use ($cycle) { try { yield 1; } finally { echo "collected\n"; } })();
$cycle->g->current();
unset($cycle);
gc_collect_cycles();
echo "end\n";
