<?php $section->under('Home', '/')->under('Entries') ?>
<p><?= $entries ? $this->t('entries.count', ['n' => count($entries)]) : $this->t('entries.none') ?></p>
<?php
foreach ($entries as $number => $entry) {
    echo $this->part('item', compact('entry', 'number'));
}
?>
<p><?php for ($number = 1; $number <= $pages; $number++): ?><?= $number === $page ? "<b>$number</b>" : "<a href=\"?page=$number\">$number</a>" ?> <?php endfor ?></p>
