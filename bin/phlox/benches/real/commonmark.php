<?php
// CommonMark makes HTML of a page.
require __DIR__ . '/common.php';
require __DIR__ . '/page.php';

$page = Real\page(8);
$converter = new League\CommonMark\CommonMarkConverter();

Real\measure('commonmark', 60, fn (): string => $converter->convert($page)->getContent());
