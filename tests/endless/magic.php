<?php
class Ghost
{
    function __get($name) { return $this->next($name)->{"x$name"}; }
    function __call($name, $arguments) { return new Ghost; }
    function next($name) { foreach ([1, 2] as $i) { if ($i) { return new Ghost; } } }
}
echo (new Ghost)->a;
