<?php
//: exit 255
spl_autoload_register(function ($name) { throw new LogicException("no $name"); });
class Upper { public function make(): Upper {} }
class Lower extends Upper { public function make(): Lost {} }
