<?php $section->under('Home', '/')->under('Entries', '/entries')->under($entry->title) ?>
<h1><?= $this->e($entry->title) ?> (<?= $entry->mood->label() ?>)</h1>
<?php foreach (preg_split('/\R{2,}/', $entry->body) as $paragraph): ?>
<p><?= preg_replace('/\*(\w+)\*/', '<em>$1</em>', $this->e(wordwrap($paragraph, 40))) ?></p>
<?php endforeach ?>
<ul data-slug="<?= $entry->slug ?>" data-words="<?= $entry->words ?>">
<?php foreach ($related as $other): ?><li><?= $this->e($other->title) ?></li><?php endforeach ?>
</ul>
