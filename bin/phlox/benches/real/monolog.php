<?php
// Monolog formats records.
require __DIR__ . '/common.php';

$handler = new Monolog\Handler\TestHandler();
$handler->setFormatter(new Monolog\Formatter\LineFormatter(null, 'Y-m-d'));
$logger = new Monolog\Logger('bench', [$handler], [new Monolog\Processor\PsrLogMessageProcessor(), new Monolog\Processor\TagProcessor(['a', 'b'])]);

Real\measure('monolog', 300, function () use ($logger, $handler): string {
    $handler->clear();
    for ($i = 0; $i < 40; $i++) {
        $logger->info('User {name} did {what}', ['name' => "n$i", 'what' => 'this', 'list' => [1, 2, ['x' => $i]]]);
        $logger->warning('Plain message', ['number' => $i * 1.5, 'flag' => true]);
    }
    $out = '';
    foreach ($handler->getRecords() as $record) {
        $out .= $record->formatted;
    }
    return $out;
});
