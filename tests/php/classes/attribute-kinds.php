<?php
//: exit 255
// Any kind of class may be marked as an attribute; only one that can be made is of use. What is no name is refused after `new`.

#[Attribute] abstract class AbstractOne {}
#[Attribute] interface InterfaceOne {}
#[Attribute] trait TraitOne {}
#[Attribute] enum EnumOne { case X; }
#[AbstractOne] #[InterfaceOne] #[TraitOne] #[EnumOne] class Marked {}
foreach ((new ReflectionClass('Marked'))->getAttributes() as $attribute) {
    try {
        var_dump($attribute->newInstance());
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
var_dump(new ('std' . 'Class'));
eval('new (1);');
