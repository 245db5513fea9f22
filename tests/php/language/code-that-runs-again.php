<?php
// Files and texts that run again and again do what they would do if they were compiled anew each time.
$folder = sys_get_temp_dir() . '/phlox-again-' . getmypid();
mkdir($folder);
$file = "$folder/template.php";
file_put_contents($file, '<li><?= $item ?></li><?php $made = fn() => $item . __LINE__; return [$made(), strlen(basename(__FILE__))];');
foreach (['a', 'b', 'c', 'd'] as $item) { $r = include $file; echo json_encode($r), $made(), "\n"; }
// The file changes, with the same length.
foreach ([1, 2, 3, 4, 5] as $n) { file_put_contents($file, "<?php return $n;"); echo include $file; echo include $file; }
echo "\n";
// Static variables begin anew with each run.
foreach ([1, 2, 3] as $n) { echo eval('static $s = 0; return ++$s;'), eval('return (function () { static $t = 0; return ++$t . ++$t; })();'), ' '; }
file_put_contents($file, '<?php static $s = 5; return ++$s;');
echo include $file, include $file, include $file, "\n";
// What is declared a second time is an error, as it ever was.
file_put_contents($file, '<?php if (!function_exists("made_once")) { function made_once() { return "once"; } } class_exists("Made") || eval("class Made { const N = 3; }"); return made_once() . Made::N;');
foreach ([1, 2, 3] as $n) echo include $file, ' ';
echo "\n";
// Code that goes on inside of itself.
$code = 'if ($depth > 0) { $depth--; $out[] = $depth; eval($code); } $out[] = "end";';
$depth = 3; $out = []; eval($code); $depth = 2; eval($code); echo implode(' ', $out), "\n";
// Generators and closures that are kept belong to their own run.
$kept = []; foreach ([1, 2, 3] as $n) { $kept[] = eval('return (function () use ($n) { yield $n; yield $n * 10; })();'); }
foreach ([0, 1] as $_) foreach ($kept as $g) { echo $g->current(), ' '; $g->next(); }
$fs = []; foreach (['x', 'y'] as $v) $fs[] = eval('return function() use ($v) { return $v . __LINE__; };'); echo $fs[0](), $fs[1](), $fs[0] == $fs[1] ? 'same' : 'other', "\n";
// Errors are the same each time, and so are their places.
foreach ([1, 2, 3] as $n) { try { eval("\n\n throw new Exception('e');"); } catch (Exception $e) { echo $e->getLine(), basename($e->getFile()), ' '; } try { eval('this is no code'); } catch (ParseError $e) { echo get_class($e), $e->getLine(), ' '; } }
for ($i = 0; $i < 3000; $i++) { eval('$z = $i . "text";'); include $file; } echo $z, "\n";
unlink($file); rmdir($folder);
