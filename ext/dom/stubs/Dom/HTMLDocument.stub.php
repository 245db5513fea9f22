<?php
namespace Dom; final class HTMLDocument extends \Dom\Document {
    #[real_return] public static function createEmpty(string $encoding = "UTF-8"): \Dom\HTMLDocument {}
    #[real_return] public static function createFromFile(string $path, int $options = 0, ?string $overrideEncoding = null): \Dom\HTMLDocument {}
    #[real_return] public static function createFromString(string $source, int $options = 0, ?string $overrideEncoding = null): \Dom\HTMLDocument {}
    #[real_return] public function saveXml(?\Dom\Node $node = null, int $options = 0): string|false {}
    #[real_return] public function saveXmlFile(string $filename, int $options = 0): int|false {}
    #[real_return] public function saveHtml(?\Dom\Node $node = null): string {}
    #[real_return] public function saveHtmlFile(string $filename): int|false {}
}
