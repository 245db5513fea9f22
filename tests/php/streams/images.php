<?php
// The size of an image, from its first bytes.
$gif = base64_decode('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
$png = base64_decode('iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAADklEQVR42mNkgAJGDAYAAFMABJwQBYkAAAAASUVORK5CYII=');
$bmp = "BM" . str_repeat("\0", 12) . pack('VVVvv', 40, 5, 6, 1, 24) . str_repeat("\0", 24);
foreach ([$gif, $png, $bmp, 'nothing that is an image at all'] as $bytes) {
    print_r(getimagesizefromstring($bytes));
    echo "\n";
}
foreach ([IMAGETYPE_GIF, IMAGETYPE_JPEG, IMAGETYPE_WEBP, IMAGETYPE_AVIF, 99] as $type) {
    var_dump(image_type_to_mime_type($type), image_type_to_extension($type), image_type_to_extension($type, false));
}
$path = tempnam(sys_get_temp_dir(), 'img');
file_put_contents($path, $png);
echo getimagesize($path)[3], "\n";
unlink($path);
