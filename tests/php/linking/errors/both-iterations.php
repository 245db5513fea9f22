<?php
//: exit 255
abstract class Items implements Iterator, IteratorAggregate {}
echo "linked\n";
