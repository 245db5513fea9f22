<?php
declare(strict_types=1);

namespace Site\Http;

use Site\Controllers;

final class Router
{
    /** @var list<Route> */
    private array $routes = [];

    public function __construct()
    {
        foreach ([Controllers\Entries::class, Controllers\Home::class] as $class) {
            foreach ((new \ReflectionClass($class))->getMethods(\ReflectionMethod::IS_PUBLIC) as $method) {
                foreach ($method->getAttributes(Route::class) as $attribute) {
                    $route = $attribute->newInstance();
                    $route->action = [$class, $method->getName()];
                    $this->routes[] = $route;
                }
            }
        }
    }

    /** @return array{Route, array<string, string|int>} */
    public function match(Request $request): array
    {
        foreach ($this->routes as $route) {
            if ($route->method === $request->method && preg_match($route->pattern(), $request->path, $found)) {
                $arguments = array_filter($found, is_string(...), ARRAY_FILTER_USE_KEY);
                return [$route, array_map(static fn (string $text) => ctype_digit($text) ? (int) $text : $text, $arguments)];
            }
        }
        throw NotFound::path($request->path);
    }
}
