<?php
declare(strict_types=1);

namespace Site\Controllers;

use Site\Config;
use Site\Data\Entries as Repository;
use Site\Data\Entry;
use Site\Data\Invalid;
use Site\Data\Validator;
use Site\Http\NotFound;
use Site\Http\Request;
use Site\Http\Response;
use Site\Http\Route;
use Site\View\Renderer;

final class Entries extends Controller
{
    public function __construct(
        Renderer $view,
        private readonly Repository $entries,
        private readonly Validator $validator,
        private readonly Config $config,
    ) {
        parent::__construct($view);
    }

    #[Route('/entries')]
    public function index(Request $request): Response
    {
        $size = $this->config['services.entries.page'];
        $page = max(1, $request->int('page', 1));
        $entries = $this->entries->page($page, $size, $this->config->get('services.entries.sort'));
        $pages = (int) ceil(count($this->entries) / $size);
        return $this->page('list', compact('entries', 'page', 'pages'));
    }

    #[Route('/entries/{id:int}')]
    public function show(Request $request, int $id): Response
    {
        return $this->page('entry', ['entry' => $this->entry($id), 'related' => $this->entries->related($id)]);
    }

    #[Route('/entries/{id:int}/edit')]
    public function edit(Request $request, int $id): Response
    {
        return $this->page('form', ['entry' => $this->entry($id), 'errors' => []]);
    }

    #[Route('/api/entries')]
    public function list(Request $request): Response
    {
        return Response::json(['page' => $request->int('page', 1), 'entries' => $this->entries->page($request->int('page', 1), 5, 'id')]);
    }

    #[Route('/entries', 'POST')]
    public function create(Request $request): Response
    {
        try {
            $data = $this->validator->check($request->body, [
                'title' => 'required|max:80',
                'body' => 'required',
                'tags' => 'list',
                'rating' => 'int|max:5',
            ]);
        } catch (Invalid $invalid) {
            return $this->page('form', ['entry' => null, 'errors' => $invalid->errors], 422);
        }
        $entry = $this->entries->add(Entry::fromArray($data));
        return Response::redirect("/entries/{$entry->id}");
    }

    private function entry(int $id): Entry
    {
        return $this->entries->get($id) ?? throw new NotFound("There is no entry $id");
    }
}
