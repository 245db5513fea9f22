<?php
// The count is told also if something is thrown on the way.
$count = 5;
try { str_replace(["a", new stdClass], "b", "aa", $count); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump($count);
$count = 5;
try { str_ireplace("A", "b", ["aa", new stdClass], $count); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump($count);
