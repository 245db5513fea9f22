<?php
//: exit 255
interface Work { function one(); function two(); function three(); function four(); }
class Worker implements Work {}
echo "linked\n";
