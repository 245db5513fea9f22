<?php
//: exit 255
interface Limits { const MAX = 1; }
class Child implements Limits { protected const MAX = 2; }
echo "linked\n";
