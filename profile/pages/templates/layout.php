<!doctype html>
<html lang="<?= $this->t('lang') ?>">
<head><title><?= $this->e((string) $section) ?></title></head>
<body>
<nav>
<?php foreach ($section->crumbs as [$name, $link]): ?>
  <?php if ($link !== null): ?><a href="<?= $this->e($link) ?>"><?= $this->e($name) ?></a><?php else: ?><b><?= $this->e($name) ?></b><?php endif ?>

<?php endforeach ?>
</nav>
<main><?= $content ?></main>
<footer><?= date('Y', 1796000000) ?></footer>
</body>
</html>
