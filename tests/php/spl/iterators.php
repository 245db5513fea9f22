<?php
// Iterators around iterators, and a walk over a tree.
$letters = new ArrayIterator(['a' => 1, 'b' => 2, 'c' => 3, 'd' => 4]);
$even = new CallbackFilterIterator($letters, fn($value, $key) => $value % 2 === 0);
foreach ($even as $key => $value) {
    echo "$key=$value ";
}
echo "\n";
foreach (new LimitIterator($letters, 1, 2) as $key => $value) {
    echo "$key=$value ";
}
echo "\n";
$all = new AppendIterator();
$all->append(new ArrayIterator([1, 2]));
$all->append(new ArrayIterator([3]));
echo implode(',', iterator_to_array($all, false)), "\n";
$caching = new CachingIterator(new ArrayIterator(['x', 'y', 'z']));
foreach ($caching as $value) {
    echo $value, $caching->hasNext() ? ', ' : "\n";
}
$tree = ['a' => ['b' => 1, 'c' => ['d' => 2]], 'e' => 3];
$walk = new RecursiveIteratorIterator(new RecursiveArrayIterator($tree), RecursiveIteratorIterator::SELF_FIRST);
foreach ($walk as $key => $value) {
    echo str_repeat(' ', $walk->getDepth()), $key, is_array($value) ? ':' : "=$value", "\n";
}
foreach (new RecursiveTreeIterator(new RecursiveArrayIterator(['a' => ['b' => 'x'], 'c' => 'y'])) as $line) {
    echo $line, "\n";
}
$both = new MultipleIterator(MultipleIterator::MIT_KEYS_ASSOC);
$both->attachIterator(new ArrayIterator([1, 2]), 'n');
$both->attachIterator(new ArrayIterator(['one', 'two']), 'name');
foreach ($both as $row) {
    echo json_encode($row), "\n";
}
