<?php
class Post {
    public int $id;
    public string $title = 'none';
    private array $tags = [];
    public function tag(string $tag): void { $this->tags[] = $tag; }
    public function __destruct() { echo "destroyed {$this->id}\n"; }
}
$class = new ReflectionClass(Post::class);
$make = fn(int $id) => $class->newLazyGhost(function (Post $post) use ($id): void {
    echo "loading\n";
    $post->id = $id;
    $post->tag('new');
});
$post = $make(1);
$class->getProperty('title')->setRawValueWithoutLazyInitialization($post, 'early');
var_dump($post, $post->title, $class->isUninitializedLazyObject($post));
var_dump($post->id, $post, $class->isUninitializedLazyObject($post));
$post = $make(2);
unset($post);
echo "never loaded\n";
$copy = clone $make(3);
var_dump($copy->id, isset($make(4)->id), $make(5) == $make(5));
foreach ($make(6) as $name => $value) {
    echo "$name = $value\n";
}
$failing = $class->newLazyGhost(function (Post $post) {
    $post->id = 9;
    throw new Exception('no database');
});
try {
    $failing->id;
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
var_dump($failing);
$class->resetAsLazyGhost($copy, function (Post $post) { $post->id = 10; });
var_dump($copy->id);
var_dump($class->markLazyObjectAsInitialized($failing)->title);
$failing->id = 11;
