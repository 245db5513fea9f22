<?php
// A calculator in a hundred lines: a generator of tokens, a parser by binding power, a tree of readonly objects.
declare(strict_types=1);

enum Op: string
{
    case Add = '+';
    case Subtract = '-';
    case Multiply = '*';
    case Divide = '/';
    case Power = '^';

    public function power(): int
    {
        return match ($this) {
            self::Add, self::Subtract => 10,
            self::Multiply, self::Divide => 20,
            self::Power => 30,
        };
    }

    public function apply(int|float $left, int|float $right): int|float
    {
        return match ($this) {
            self::Add => $left + $right,
            self::Subtract => $left - $right,
            self::Multiply => $left * $right,
            self::Divide => $left / $right,
            self::Power => $left ** $right,
        };
    }
}

final class Mistake extends Exception {}

interface Node
{
    public function value(array $variables): int|float;
}

final readonly class Number implements Node, Stringable
{
    public function __construct(private int|float $number) {}
    public function value(array $variables): int|float { return $this->number; }
    public function __toString(): string { return (string) $this->number; }
}

final readonly class Variable implements Node, Stringable
{
    public function __construct(private string $name) {}
    public function value(array $variables): int|float
    {
        return $variables[$this->name] ?? throw new Mistake("What is $this->name?");
    }
    public function __toString(): string { return $this->name; }
}

final readonly class Binary implements Node, Stringable
{
    public function __construct(private Op $op, private Node $left, private Node $right) {}
    public function value(array $variables): int|float
    {
        return $this->op->apply($this->left->value($variables), $this->right->value($variables));
    }
    public function __toString(): string { return "($this->left {$this->op->value} $this->right)"; }
}

function tokens(string $text): Generator
{
    for ($i = 0, $end = strlen($text); $i < $end; $i += strlen($token)) {
        $token = $text[$i];
        if ($token === ' ') {
            continue;
        }
        $is_word = static fn(string $c): bool => $c === '.' || $c === '_' || $c >= '0' && $c <= '9' || $c >= 'a' && $c <= 'z';
        while ($is_word($token[0]) && $i + strlen($token) < $end && $is_word($text[$i + strlen($token)])) {
            $token .= $text[$i + strlen($token)];
        }
        yield $token;
    }
    yield 'end';
}

function parse(Generator $tokens, int $power = 0): Node
{
    $token = $tokens->current();
    $tokens->next();
    if ($token === '(') {
        $left = parse($tokens);
        if ($tokens->current() !== ')') {
            throw new Mistake("a bracket is not closed before {$tokens->current()}");
        }
        $tokens->next();
    } elseif ($token === '-') {
        $left = new Binary(Op::Subtract, new Number(0), parse($tokens, Op::Multiply->power()));
    } else {
        $left = is_numeric($token) ? new Number(0 + $token) : new Variable($token);
    }
    while (($op = Op::tryFrom($tokens->current())) && $op->power() > $power) {
        $tokens->next();
        $left = new Binary($op, $left, parse($tokens, $op === Op::Power ? $op->power() - 1 : $op->power()));
    }
    return $left;
}

$variables = ['x' => 3, 'half' => 0.5];
foreach (['1 + 2 * x', '2 ^ x ^ 2', '-(x - 5) / half', '7 / (x - 3)', '(1 + 2', 'y * 2'] as $text) {
    try {
        $tree = parse(tokens($text));
        printf("%-16s = %-24s = %s\n", $text, $tree, $tree->value($variables));
    } catch (ArithmeticError | Mistake $e) {
        printf("%-16s : %s (%s)\n", $text, $e->getMessage(), $e::class);
    }
}
