<article class="<?= $number % 2 ? 'odd' : 'even' ?> <?= $entry->mood->value ?>">
  <h2><?= $number ?>. <a href="/entries/<?= $entry->id ?>"><?= $this->e($entry->title) ?></a></h2>
  <p><?= nl2br($this->e($entry->summary())) ?></p>
  <small><?= $entry->written->format('j M Y, H:i') ?>, <?= implode(', ', array_map($this->e(...), $entry->tags)) ?></small>
</article>
