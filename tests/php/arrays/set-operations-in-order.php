<?php
// Arrays are looked at one after the other: what is said of the first may come before the second is refused.
foreach (['array_intersect','array_diff','array_intersect_key','array_diff_key','array_intersect_assoc','array_diff_assoc'] as $f) { foreach ([[[[1],[2]], 5], [[[1],[2]], [[3]], 5], [5, [1]], [[[1]],[[1]],'x'], [[], 5], [[[1],[2]],[]]] as $args) { echo "$f "; try { echo json_encode($f(...$args)), "\n"; } catch (TypeError $e) { echo $e->getMessage(), "\n"; } } }
$s = fn($a, $b) => strcmp(json_encode($a), json_encode($b)) ?: print('c');
foreach (['array_uintersect','array_udiff','array_uintersect_assoc','array_udiff_assoc'] as $f) { foreach ([[[[1],[2]], 5], [[[1],[2]], [[3]], 5], [5, [1]], [[[1]],[[1]],'x']] as $args) { echo "$f "; try { echo json_encode($f(...[...$args, function($a,$b) { echo 'cmp '; return $a <=> $b; }])), "\n"; } catch (TypeError $e) { echo $e->getMessage(), "\n"; } } }
