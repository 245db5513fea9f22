<?php
declare(strict_types=1);

namespace Site\Data;

final class Entries implements \Countable, \IteratorAggregate
{
    /** @var array<int, Entry> */
    private array $entries = [];

    public function __construct()
    {
        $colours = ['red', 'green', 'blue', 'yellow'];
        for ($number = 1; $number <= 24; $number++) {
            $colour = $colours[$number % 4];
            $this->add(Entry::fromArray([
                'title' => ucwords("a $colour note") . " no. $number",
                'body' => str_repeat("Line $number about $colour & other things. ", 1 + $number % 3),
                'tags' => [$colour, $number % 2 ? 'odd' : 'even'],
                'rating' => $number % 6,
                'written' => sprintf('2026-%02d-%02d 08:%02d:00', 1 + $number % 12, 1 + $number, $number),
            ]));
        }
    }

    public function add(Entry $entry): Entry
    {
        $entry->id = count($this->entries) + 1;
        return $this->entries[$entry->id] = $entry;
    }

    public function get(int $id): ?Entry
    {
        return $this->entries[$id] ?? null;
    }

    /** @return list<Entry> */
    public function page(int $page, int $size, string $order): array
    {
        $entries = $this->entries;
        uasort($entries, static fn (Entry $a, Entry $b): int => $a->$order <=> $b->$order ?: $a->id <=> $b->id);
        return array_slice(array_values($entries), ($page - 1) * $size, $size);
    }

    /** @return list<Entry> */
    public function latest(int $count): array
    {
        $entries = $this->entries;
        usort($entries, static fn (Entry $a, Entry $b): int => $b->written <=> $a->written);
        return array_slice($entries, 0, $count);
    }

    /** @return list<Entry> */
    public function related(int $id): array
    {
        $tags = array_flip($this->entries[$id]->tags);
        $related = array_filter($this->entries, static fn (Entry $entry): bool => $entry->id !== $id && array_intersect_key(array_flip($entry->tags), $tags) !== []);
        return array_slice($related, 0, 4);
    }

    public function find(callable $wanted): \Generator
    {
        foreach ($this as $id => $entry) {
            if ($wanted($entry)) {
                yield $id => $entry;
            }
        }
    }

    public function getIterator(): \Iterator
    {
        return new \ArrayIterator($this->entries);
    }

    public function count(): int
    {
        return count($this->entries);
    }
}
