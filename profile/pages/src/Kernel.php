<?php
declare(strict_types=1);

namespace Site;

use Site\Event\Dispatcher;
use Site\Event\RequestHandled;
use Site\Http\NotFound;
use Site\Http\Request;
use Site\Http\Response;
use Site\Http\Router;

final class Kernel
{
    private readonly Container $container;
    private int $handled = 0;

    public function __construct(private readonly array $config)
    {
        $this->container = new Container($config);
        $this->container->set(Config::class, fn () => new Config($this->config));
        $events = $this->container->get(Dispatcher::class);
        $events->listen(RequestHandled::class, function (RequestHandled $event): void {
            $this->handled += $event->response->status < 400 ? 1 : 0;
        });
        $events->listen(RequestHandled::class, [Event\Log::class, 'note'], -10);
    }

    public function handle(Request $request): Response
    {
        try {
            $router = $this->container->get(Router::class);
            [$route, $arguments] = $router->match($request);
            $next = function (Request $request) use ($route, $arguments): Response {
                [$class, $method] = $route->action;
                $controller = $this->container->get($class);
                return $controller->$method($request, ...$arguments);
            };
            foreach (array_reverse($this->config['middleware']) as $class) {
                $layer = $this->container->get($class);
                $next = static fn (Request $request): Response => $layer->process($request, $next);
            }
            $response = $next($request);
        } catch (NotFound $missing) {
            $response = new Response($missing->getMessage(), 404);
        } finally {
            $this->container->forget(View\Section::class);
        }
        return $this->container->get(Dispatcher::class)->dispatch(new RequestHandled($request, $response))->response;
    }
}
