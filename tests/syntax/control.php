<html><?= $a, $b ?>
text
<?php
if ($a) b(); elseif ($c) { d(); } else if ($e) f(); else g();
if ($a): ?>html<?php elseif ($b): c(); else: d(); endif;
while ($a--) { break; continue 2; }
while ($a): b(); endwhile;
do a(); while ($b);
for ($i = 0, $j = 1; $i < 3; $i++, $j--) { }
for (;;): endfor;
foreach ($a as $k => &$v) { }
foreach ($a as [$x, 'y' => list($z)]): endforeach;
switch ($a) { case 1: case 2; b(); break; default: c(); }
switch ($a): case 1: endswitch;
try { a(); } catch (A | \B $e) { b(); } catch (C) { } finally { d(); }
goto end;
end:
declare(ticks=1) { a(); }
global $g, $$h; static $s = 1, $t; unset($a, $b[1],);
return;
