<?php
declare(strict_types=1);

namespace Site\Http;

final class Timing implements Layer
{
    private static int $requests = 0;

    public function process(Request $request, callable $next): Response
    {
        $begun = hrtime(true);
        $response = $next($request);
        $response->headers['server-timing'] = sprintf('app;dur=%.1f;n=%d', (hrtime(true) - $begun) / 1e6, ++self::$requests);
        return $response;
    }
}
