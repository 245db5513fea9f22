<?php
#[Attribute(Attribute::TARGET_ALL | Attribute::IS_REPEATABLE)]
class Route
{
    public function __construct(public string $path, public array $methods = [], public ?object $made = null)
    {
    }
}

#[Route('/first', methods: ['GET'])]
#[Route('/second', methods: ['GET', 'POST'])]
class Controller
{
    #[Route('/constant')]
    const LIMIT = 3;

    #[Route('/property')]
    public int $count = self::LIMIT;

    #[Route('/show', made: new ArrayObject([1, 2, 3]))]
    public function show(#[Route('/parameter')] int $id): int
    {
        return $id;
    }
}

for ($round = 0; $round < 10; $round++) {
    $class = new ReflectionClass(Controller::class);
    $of = [$class, $class->getMethod('show'), $class->getProperty('count'), $class->getReflectionConstant('LIMIT'),
        $class->getMethod('show')->getParameters()[0]];
    foreach ($of as $reflected) {
        foreach ($reflected->getAttributes() as $attribute) {
            $attribute->newInstance();
        }
    }
}
