<?php
class Service {
    public array $log = [];
    public int $calls = 0;
    public function call(): int { $this->log[] = 'call'; return ++$this->calls; }
    public function __clone() { echo "cloned\n"; }
}
$class = new ReflectionClass(Service::class);
$proxy = $class->newLazyProxy(function (Service $proxy): Service {
    echo "connecting\n";
    return new Service;
});
var_dump($proxy, $class->isUninitializedLazyObject($proxy));
var_dump($proxy->call(), $proxy->call(), $proxy);
$real = $class->initializeLazyObject($proxy);
var_dump($real === $proxy, $real->calls);
$copy = clone $proxy;
$copy->call();
var_dump($copy->calls, $proxy->calls, json_encode($proxy), serialize($proxy));
foreach ([null, new stdClass, $proxy] as $answer) {
    $wrong = $class->newLazyProxy(fn() => $answer);
    try {
        $wrong->calls;
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
