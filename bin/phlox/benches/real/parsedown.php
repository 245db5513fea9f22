<?php
// Parsedown makes HTML of a page.
require __DIR__ . '/common.php';
require __DIR__ . '/page.php';
require Real\root() . '/Parsedown/Parsedown.php';

$page = Real\page(8);

Real\measure('parsedown', 150, fn (): string => (new Parsedown())->text($page));
