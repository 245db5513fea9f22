<?php
namespace Dom; final class XMLDocument extends \Dom\Document {
    public string $xmlEncoding { get {} }
    public bool $xmlStandalone { get {} set {} }
    public string $xmlVersion { get {} set {} }
    public bool $formatOutput { get {} set {} }
    #[real_return] public static function createEmpty(string $version = "1.0", string $encoding = "UTF-8"): \Dom\XMLDocument {}
    #[real_return] public static function createFromFile(string $path, int $options = 0, ?string $overrideEncoding = null): \Dom\XMLDocument {}
    #[real_return] public static function createFromString(string $source, int $options = 0, ?string $overrideEncoding = null): \Dom\XMLDocument {}
    #[real_return] public function createEntityReference(string $name): \Dom\EntityReference {}
    #[real_return] public function validate(): bool {}
    #[real_return] public function xinclude(int $options = 0): int {}
    #[real_return] public function saveXml(?\Dom\Node $node = null, int $options = 0): string|false {}
    #[real_return] public function saveXmlFile(string $filename, int $options = 0): int|false {}
}
