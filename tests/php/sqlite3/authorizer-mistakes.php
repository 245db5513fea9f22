<?php
// What goes wrong in an authorizer is told first, then that the statement was not prepared.
$db = new SQLite3(':memory:');
$answers = [
    'fine' => fn() => SQLite3::OK,
    'number' => fn() => 5,
    'nothing' => fn() => null,
    'text' => fn() => 'yes',
    'throws' => fn() => throw new LogicException('from the authorizer'),
];
foreach ($answers as $name => $answer) {
    $db->setAuthorizer($answer);
    foreach ([false, true] as $exceptions) {
        @$db->enableExceptions($exceptions);
        echo "$name:\n";
        try {
            var_dump((bool) $db->query('select 1'));
        } catch (Throwable $e) {
            for (; $e; $e = $e->getPrevious()) {
                echo get_class($e), ': ', $e->getMessage(), "\n";
            }
        }
    }
}
$db->setAuthorizer(null);
var_dump($db->querySingle('select 2'));
