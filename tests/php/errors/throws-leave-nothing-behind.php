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
function often(int $count): void
{
    for ($i = 0; $i < $count; $i++) {
        caught($i);
        called(fn(int $x) => $x, $i);
    }
}
often(20000);
$before = resident();
often(60000);
var_dump(resident() - $before < 10000);
