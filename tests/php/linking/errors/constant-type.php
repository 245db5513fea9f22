<?php
//: exit 255
class Base { const int MAX = 1; }
class Child extends Base { const string MAX = "a"; }
echo "linked\n";
