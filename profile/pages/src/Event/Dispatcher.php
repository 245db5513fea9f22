<?php
declare(strict_types=1);

namespace Site\Event;

final class Dispatcher
{
    private array $listeners = [];
    private array $sorted = [];

    public function listen(string $event, callable $listener, int $priority = 0): void
    {
        $this->listeners[$event][$priority][] = $listener;
        unset($this->sorted[$event]);
    }

    /**
     * @template T of object
     * @param T $event
     * @return T
     */
    public function dispatch(object $event): object
    {
        foreach ($this->listeners($event::class) as $listener) {
            $listener($event);
        }
        return $event;
    }

    private function listeners(string $event): array
    {
        if (!isset($this->sorted[$event])) {
            $byPriority = $this->listeners[$event] ?? [];
            krsort($byPriority);
            $this->sorted[$event] = $byPriority ? array_merge(...$byPriority) : [];
        }
        return $this->sorted[$event];
    }
}
