<?php
//: exit 255
interface Made { function __construct(int $x); }
class Thing implements Made { function __construct(string $x) {} }
echo "linked\n";
