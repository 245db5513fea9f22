<?php $section->under('Home', '/')->under('Edit') ?>
<form method="post">
<?php foreach (['title' => 'text', 'body' => 'textarea', 'rating' => 'number'] as $field => $kind): ?>
  <label><?= ucfirst($field) ?>
  <?php switch ($kind): case 'textarea': ?><textarea name="<?= $field ?>"><?= $this->e($entry?->$field) ?></textarea>
  <?php break; default: ?><input type="<?= $kind ?>" name="<?= $field ?>" value="<?= $this->e($entry?->$field) ?>">
  <?php endswitch ?></label>
  <?php if (!empty($errors[$field])): ?><p class="error"><?= $this->e(implode(', ', $errors[$field])) ?></p><?php endif ?>
<?php endforeach ?>
</form>
