<?php
// A copy has the iterators, and not the flags.
$both = new MultipleIterator(MultipleIterator::MIT_NEED_ALL | MultipleIterator::MIT_KEYS_ASSOC);
$both->attachIterator(new ArrayIterator([1, 2]), 'x');
$both->attachIterator(new ArrayIterator([3]), 'y');
$copy = clone $both;
var_dump($both->getFlags(), $copy->getFlags(), $copy->countIterators(), iterator_count($both), iterator_count($copy));
