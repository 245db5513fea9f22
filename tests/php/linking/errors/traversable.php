<?php
//: exit 255
class Items implements Traversable {}
echo "linked\n";
