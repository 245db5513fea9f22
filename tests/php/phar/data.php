<?php
// Archives of other programs: tar and zip, made, read and unpacked.
$dir = sys_get_temp_dir() . '/phlox' . getmypid();
mkdir($dir);
foreach (['tar', 'zip'] as $kind) {
    $archive = new PharData("$dir/one.$kind");
    $archive['a.txt'] = "first\n";
    $archive->addFromString('dir/b.txt', str_repeat('second ', 20));
    $archive->addEmptyDir('empty');
    $archive->copy('a.txt', 'c.txt');
    unset($archive['c.txt']);
    $again = new PharData("$dir/one.$kind");
    foreach (new RecursiveIteratorIterator($again) as $name => $file) {
        echo $kind, substr($name, strlen("phar://$dir/one.$kind")), ' ', $file->getSize(), ' ', $file->isFile() ? 'file' : 'dir', "\n";
    }
    echo file_get_contents("phar://$dir/one.$kind/dir/b.txt"), "\n";
    var_dump($again->extractTo("$dir/out", ['a.txt', 'dir/b.txt'], true));
    echo file_get_contents("$dir/out/a.txt"), strlen(file_get_contents("$dir/out/dir/b.txt")), "\n";
    try {
        $again->extractTo("$dir/out", 'missing');
    } catch (PharException $error) {
        echo str_replace($dir, '', $error->getMessage()), "\n";
    }
}
$packed = (new PharData("$dir/one.tar"))->compress(Phar::GZ);
var_dump(basename($packed->getPath()), $packed->isCompressed() === Phar::GZ);
echo file_get_contents("phar://$dir/one.tar.gz/a.txt");
exec('rm -r ' . escapeshellarg($dir));
