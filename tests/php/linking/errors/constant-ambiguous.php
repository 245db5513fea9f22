<?php
//: exit 255
interface One { const X = 1; }
interface Two { const X = 1; }
class Both implements One, Two {}
echo "linked\n";
