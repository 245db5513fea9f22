<?php
// Slicing, merging, searching, mapping.
$a = ['x' => 1, 'y' => 2, 3, 4];
echo json_encode(array_slice($a, 1, 2)), json_encode(array_slice($a, -1, 1, true)), json_encode(array_splice($a, 1, 2, ['in'])), json_encode($a), "\n";
echo json_encode(array_merge(['a' => 1, 5 => 'f'], ['a' => 2, 5 => 'g'])), json_encode(['a' => 1, 5 => 'f'] + ['a' => 2, 6 => 'g']), json_encode(array_replace([1, 2], [1 => 'b', 3 => 'd'])), "\n";
echo json_encode(array_combine(['a', 'b'], [1, 2])), json_encode(array_flip(['a', 'b'])), json_encode(array_fill(5, 2, 'x')), json_encode(array_fill_keys(['a', 5], 0)), json_encode(range('a', 'e', 2)), json_encode(range(5, 1, 2)), "\n";
var_dump(in_array('1e1', ['10']), in_array('abc', [0]), array_search(2, [1, 2]), array_key_exists('k', ['k' => null]), isset($n['k']), array_key_first(['q' => 1]), array_key_last([1, 2]), array_is_list([1, 2]));
echo json_encode(array_map(null, [1, 2], ['a', 'b'])), json_encode(array_map(fn($x) => $x * 2, ['k' => 1])), json_encode(array_filter([1, 0, 2, null, ''])), json_encode(array_filter(['a' => 1, 'b' => 2], fn($v, $k) => $k === 'b', ARRAY_FILTER_USE_BOTH)), array_reduce([1, 2, 3], fn($c, $x) => $c + $x, 10), "\n";
echo json_encode(array_unique([1, '1', 2, 2.0, 'a', 'A'])), json_encode(array_count_values(['a', 'b', 'a', 1])), json_encode(array_chunk([1, 2, 3], 2)), json_encode(array_chunk(['a' => 1, 'b' => 2], 1, true)), json_encode(array_pad([1], 3, 0)), json_encode(array_pad([1], -3, 0)), "\n";
echo json_encode(array_diff([1, 2, 3], [2])), json_encode(array_intersect_key(['a' => 1, 'b' => 2], ['a' => 9])), json_encode(array_diff_assoc(['a' => 1, 0 => 2], ['a' => 1])), json_encode(array_udiff([1, 5], [5], fn($a, $b) => $a <=> $b)), json_encode(array_column([['id' => 1, 'n' => 'a'], ['id' => 2, 'n' => 'b']], 'n', 'id')), "\n";
echo array_sum([1, 2.5, '3']), array_product([2, '3']), json_encode(array_reverse(['a' => 1, 2, 3], true)), "\n";
