<?php
//: exit 255
class Base { function run(): iterable|false { return []; } }
class Child extends Base { function run(): iterable|bool { return []; } }
echo "linked\n";
