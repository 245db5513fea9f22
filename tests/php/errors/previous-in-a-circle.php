<?php
//: not-as-php it looks for the end of the chain for ever
// Reflection can make a chain of exceptions that comes back to itself; throwing ends all the same.
function circle(): Exception
{
    $first = new Exception('first');
    $second = new Exception('second', 0, $first);
    (new ReflectionProperty(Exception::class, 'previous'))->setValue($first, $second);
    return $second;
}
try {
    try {
        throw new Exception('before');
    } finally {
        throw circle();
    }
} catch (Exception $error) {
    echo $error->getMessage(), "\n";
}
try {
    try {
        throw circle();
    } finally {
        throw new Exception('after');
    }
} catch (Exception $error) {
    echo $error->getMessage(), ' ', $error->getPrevious()?->getMessage(), "\n";
}
