<?php
//: exit 255
class Problem implements Throwable {}
echo "linked\n";
