<?php
//: exit 255
class Base { final const MAX = 1; }
class Child extends Base { const MAX = 2; }
echo "linked\n";
