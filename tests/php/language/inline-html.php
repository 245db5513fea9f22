Before
<?php $items = ['one', 'two']; ?>
<?php foreach ($items as $i => $item): ?>
  <li><?= $item ?></li>
<?php if ($i): ?>
  second
<?php else: ?>
  first
<?php endif ?>
<?php endforeach; ?>
<?php // a comment ends with the tag ?>after comment
<?= 1, 2, 'x' ?>

<?php /* no newline follows */ ?> same line
text ?> stays
<?php
echo "last";
?>

