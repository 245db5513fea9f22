<?php
class XMLWriter {
    public function openUri(string $uri): bool {}
    #[real_return] public static function toUri(string $uri): static {}
    public function openMemory(): bool {}
    #[real_return] public static function toMemory(): static {}
    #[real_return] public static function toStream($stream): static {}
    public function setIndent(bool $enable): bool {}
    public function setIndentString(string $indentation): bool {}
    public function startComment(): bool {}
    public function endComment(): bool {}
    public function startAttribute(string $name): bool {}
    public function endAttribute(): bool {}
    public function writeAttribute(string $name, string $value): bool {}
    public function startAttributeNs(?string $prefix, string $name, ?string $namespace): bool {}
    public function writeAttributeNs(?string $prefix, string $name, ?string $namespace, string $value): bool {}
    public function startElement(string $name): bool {}
    public function endElement(): bool {}
    public function fullEndElement(): bool {}
    public function startElementNs(?string $prefix, string $name, ?string $namespace): bool {}
    public function writeElement(string $name, ?string $content = null): bool {}
    public function writeElementNs(?string $prefix, string $name, ?string $namespace, ?string $content = null): bool {}
    public function startPi(string $target): bool {}
    public function endPi(): bool {}
    public function writePi(string $target, string $content): bool {}
    public function startCdata(): bool {}
    public function endCdata(): bool {}
    public function writeCdata(string $content): bool {}
    public function text(string $content): bool {}
    public function writeRaw(string $content): bool {}
    public function startDocument(?string $version = "1.0", ?string $encoding = null, ?string $standalone = null): bool {}
    public function endDocument(): bool {}
    public function writeComment(string $content): bool {}
    public function startDtd(string $qualifiedName, ?string $publicId = null, ?string $systemId = null): bool {}
    public function endDtd(): bool {}
    public function writeDtd(string $name, ?string $publicId = null, ?string $systemId = null, ?string $content = null): bool {}
    public function startDtdElement(string $qualifiedName): bool {}
    public function endDtdElement(): bool {}
    public function writeDtdElement(string $name, string $content): bool {}
    public function startDtdAttlist(string $name): bool {}
    public function endDtdAttlist(): bool {}
    public function writeDtdAttlist(string $name, string $content): bool {}
    public function startDtdEntity(string $name, bool $isParam): bool {}
    public function endDtdEntity(): bool {}
    public function writeDtdEntity(string $name, string $content, bool $isParam = false, ?string $publicId = null, ?string $systemId = null, ?string $notationData = null): bool {}
    public function outputMemory(bool $flush = true): string {}
    public function flush(bool $empty = true): string|int {}
}
