<?php
declare(strict_types=1);

namespace Site\Event;

final class Log
{
    private static array $lines = [];

    public static function note(RequestHandled $event): void
    {
        ['request' => $request, 'response' => $response] = get_object_vars($event);
        static::$lines[] = sprintf('%s %s %d %d', $request->method, $request->path, $response->status, strlen($response->body));
        if (count(self::$lines) > 5) {
            array_shift(self::$lines);
        }
    }
}
