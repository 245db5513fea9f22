<?php
//: ini phar.readonly=0
// Names of an archive are changed through its URL, where its name tells that it can be run.
$dir = sys_get_temp_dir() . '/phlox-phar-urls-' . getmypid();
mkdir($dir);
function show(string $what, callable $do): void
{
    global $dir;
    ob_start();
    try {
        $value = json_encode($do());
    } catch (Throwable $e) {
        $value = get_class($e) . ': ' . $e->getMessage();
    }
    echo str_replace($dir, '{root}', "$what: " . preg_replace('/ in \S+ on line \d+/', '', ob_get_clean()) . $value), "\n";
}
foreach (['run.phar', 'data.tar'] as $file) {
    $archive = str_ends_with($file, '.phar') ? new Phar("$dir/$file") : new PharData("$dir/$file");
    $archive['one.txt'] = 'one';
    $archive['dir/two.txt'] = 'two';
    $archive->addEmptyDir('empty');
    $url = "phar://$dir/$file";
    show('count', fn() => [count($archive), $archive->count()]);
    show('write', fn() => file_put_contents("$url/new/three.txt", 'three'));
    show('append', fn() => file_put_contents("$url/one.txt", '+', FILE_APPEND));
    show('rename', fn() => [rename("$url/one.txt", "$url/uno.txt"), file_exists("$url/one.txt"), file_exists("$url/uno.txt")]);
    show('rename dir', fn() => [rename("$url/dir", "$url/dir2"), file_exists("$url/dir2/two.txt")]);
    show('rename nothing', fn() => rename("$url/nothing", "$url/x"));
    show('mkdir', fn() => [mkdir("$url/made"), is_dir("$url/made")]);
    show('mkdir twice', fn() => mkdir("$url/made"));
    show('mkdir over a file', fn() => mkdir("$url/new/three.txt"));
    show('rmdir', fn() => [rmdir("$url/made"), is_dir("$url/made")]);
    show('rmdir nothing', fn() => rmdir("$url/nothing"));
    show('rmdir full', fn() => rmdir("$url/dir2"));
    show('unlink dir', fn() => unlink("$url/empty"));
    show('unlink', fn() => [unlink("$url/uno.txt"), file_exists("$url/uno.txt")]);
    show('unlink nothing', fn() => unlink("$url/nothing"));
    show('names', fn() => scandir($url));
}
show('metadata', function () use ($dir) {
    $tar = new PharData("$dir/meta.tar");
    $tar['a/b.txt'] = 'b';
    $tar->setMetadata(['of' => 'all']);
    $tar['a/b.txt']->setMetadata('of one');
    copy("$dir/meta.tar", "$dir/again.tar");
    $again = new PharData("$dir/again.tar");
    return [$again->getMetadata(), $again['a/b.txt']->getMetadata(), count($again)];
});
show('made by a URL', fn() => [file_put_contents("phar://$dir/fresh.phar/x.txt", 'x'), file_get_contents("phar://$dir/fresh.phar/x.txt")]);
foreach ([[], ['.odd'], ['.phar.tgz']] as $arguments) {
    show('compress ' . json_encode($arguments), fn() => basename((new PharData("$dir/data.tar"))->compress(Phar::GZ, ...$arguments)->getPath()));
    show('compress ' . json_encode($arguments), fn() => basename((new Phar("$dir/run.phar"))->compress(Phar::GZ, ...$arguments)->getPath()));
}
show('decompress', fn() => (new PharData("$dir/data.tar.gz"))->decompress());
exec('rm -rf ' . escapeshellarg($dir));
