<?php
// Elements of a WeakMap change in place and can be references.

$map = new WeakMap;
$key = new stdClass;
$map[$key] = [];
$map[$key][] = 1;
$map[$key]["x"]["y"] = 2;
foreach ($map as $k => &$value) {
    $value["z"] = 3;
}
var_dump($map[$key]);
foreach ([fn() => $map[] = 1, fn() => $map[new stdClass][] = 1, fn() => $map["x"][] = 1] as $attempt) {
    try {
        $attempt();
    } catch (Throwable $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
