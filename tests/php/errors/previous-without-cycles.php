<?php
function chain(?Throwable $error): string
{
    $messages = [];
    for (; $error; $error = $error->getPrevious()) {
        $messages[] = $error->getMessage();
    }
    return implode(' <- ', $messages) . "\n";
}
$first = new Exception('first');
try {
    try {
        throw new Exception('second', 0, $first);
    } finally {
        throw $first;
    }
} catch (Exception $error) {
    echo chain($error);
}
try {
    try {
        throw new Exception('second', 0, $first);
    } finally {
        throw new Exception('third', 0, $first);
    }
} catch (Exception $error) {
    echo chain($error);
}
try {
    try {
        throw new Exception('a', 0, new Exception('b'));
    } finally {
        throw new Exception('c', 0, new Exception('d'));
    }
} catch (Exception $error) {
    echo chain($error);
}
