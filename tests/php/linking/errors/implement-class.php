<?php
//: exit 255
class Shape {}
class Square implements Shape {}
echo "linked\n";
