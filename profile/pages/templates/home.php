<?php $section->under('Home') ?>
<h1><?= $this->e($this->t('hello', ['name' => $name])) ?></h1>
<?php foreach ($latest as $number => $entry): ?>
<?= $this->part('item', ['entry' => $entry, 'number' => $number + 1]) ?>
<?php endforeach ?>
