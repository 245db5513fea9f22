<?php
// What is thrown and caught takes no memory that stays, on no stack either.
function resident(): int
{
    preg_match('/VmRSS:\s+(\d+)/', file_get_contents('/proc/self/status'), $found);
    return (int)$found[1];
}
function fail(int $i): never
{
    throw new DomainException("no $i");
}
function caught(int $i): int
{
    try {
        fail($i);
    } catch (DomainException $error) {
        return $error->getLine();
    } finally {
        $i++;
    }
}
function called(callable $f, int $i): int
{
    return $f($i);
}
caught(1);
$before = resident();
for ($i = 0; $i < 40000; $i++) {
    caught($i);
    called(fn(int $x) => $x, $i);
}
var_dump(resident() - $before < 4000);
