<?php
declare(strict_types=1);

namespace Site\Data;

final class Entry implements \JsonSerializable
{
    public ?int $id = null;

    public function __construct(
        public readonly string $title,
        public readonly string $body,
        public readonly array $tags,
        public readonly int $rating,
        public readonly Mood $mood,
        public readonly \DateTimeImmutable $written,
    ) {
    }

    public static function fromArray(array $data): self
    {
        $written = new \DateTimeImmutable($data['written'] ?? '2026-11-29 12:00:00', new \DateTimeZone('UTC'));
        ['title' => $title, 'body' => $body] = $data;
        return new self($title, $body, array_values(array_unique($data['tags'] ?? [])), $data['rating'] ?? 0, Mood::of($data['rating'] ?? 0), $written);
    }

    public function summary(int $length = 60): string
    {
        return mb_strlen($this->body) <= $length ? $this->body : rtrim(mb_substr($this->body, 0, $length)) . '…';
    }

    public function __get(string $name): mixed
    {
        return match ($name) {
            'slug' => trim(preg_replace('/[^a-z0-9]+/', '-', strtolower($this->title)), '-'),
            'words' => str_word_count($this->body),
            default => null,
        };
    }

    public function jsonSerialize(): array
    {
        return ['id' => $this->id, 'title' => $this->title, 'tags' => $this->tags, 'mood' => $this->mood, 'written' => $this->written->format(DATE_ATOM)];
    }
}
