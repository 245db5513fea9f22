<?php
// Initial values made of the class's own constants are known before the function ran; others are not.
class Shape
{
    const SIDES = 4;

    function sides()
    {
        static $list = [self::SIDES => 'four'], $sum = self::SIDES + 1, $plain = 'text', $object = new stdClass;
    }
}

var_dump((new ReflectionMethod('Shape', 'sides'))->getStaticVariables());
(new Shape)->sides();
var_dump((new ReflectionMethod('Shape', 'sides'))->getStaticVariables());
