<?php
class CURLFile {
    public string $name = '';
    public string $mime = '';
    public string $postname = '';
    public function __construct(string $filename, ?string $mime_type = null, ?string $posted_filename = null) {
        $this->name = $filename;
        if ($mime_type !== null) {
            $this->mime = $mime_type;
        }
        if ($posted_filename !== null) {
            $this->postname = $posted_filename;
        }
    }
    public function getFilename(): string { return $this->name; }
    public function getMimeType(): string { return $this->mime; }
    public function getPostFilename(): string { return $this->postname; }
    public function setMimeType(string $mime_type): void { $this->mime = $mime_type; }
    public function setPostFilename(string $posted_filename): void { $this->postname = $posted_filename; }
}
