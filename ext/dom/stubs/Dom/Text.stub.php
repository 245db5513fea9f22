<?php
namespace Dom; class Text extends \Dom\CharacterData {
    public string $wholeText { get {} }
    #[real_return] public function splitText(int $offset): \Dom\Text {}
}
