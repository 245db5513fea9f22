<?php
// DeepCopy copies a graph of objects.
require __DIR__ . '/common.php';
require_once Real\root() . '/DeepCopy/deep_copy.php';

class Leaf
{
    protected array $data = ['x' => 1, 'y' => [1, 2, 3]];
    public function __construct(private string $name, public ?Leaf $next = null)
    {
    }
}
class Tree
{
    public array $leaves = [];
    public ?Tree $parent = null;
    private stdClass $extra;
    public function __construct(int $depth)
    {
        $this->extra = (object) ['depth' => $depth, 'list' => [$depth]];
        $last = null;
        for ($i = 0; $i < 4; $i++) {
            $this->leaves[] = $last = new Leaf("leaf $i", $last);
        }
        if ($depth > 0) {
            foreach ([1, 2] as $side) {
                $this->leaves[] = $child = new Tree($depth - 1);
                $child->parent = $this;
            }
        }
    }
}
$tree = new Tree(3);

Real\measure('deepcopy', 100, function () use ($tree): string {
    return serialize((new DeepCopy\DeepCopy())->copy($tree));
});
