<?php
//: exit 255
interface Named { public string $name { get; set; } }
class Thing implements Named { public string $name { get => "x"; } }
echo "linked\n";
