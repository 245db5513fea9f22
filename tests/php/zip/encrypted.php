<?php
// Encryption: what is written is read again with the password only, by entries, streams and zip://.
$file = tempnam(sys_get_temp_dir(), 'zip');
unlink($file);
$text = str_repeat('secret text ', 40);
$ciphers = ['NONE', 'TRAD_PKWARE', 'AES_128', 'AES_192', 'AES_256'];
foreach ($ciphers as $cipher) {
    var_dump(ZipArchive::isEncryptionMethodSupported(constant("ZipArchive::EM_$cipher"), true));
}
var_dump(ZipArchive::isEncryptionMethodSupported(7), ZipArchive::isCompressionMethodSupported(ZipArchive::CM_IMPLODE));
$zip = new ZipArchive;
$zip->open($file, ZipArchive::CREATE);
var_dump($zip->setPassword(''), $zip->setPassword('right'));
foreach ($ciphers as $cipher) {
    $zip->addFromString($cipher, $text);
    var_dump($zip->setEncryptionName($cipher, constant("ZipArchive::EM_$cipher")));
}
$zip->addFromString('own', $text);
var_dump($zip->setEncryptionName('own', ZipArchive::EM_AES_256, 'own password'));
var_dump($zip->setEncryptionName('missing', ZipArchive::EM_AES_256), $zip->getStatusString());
var_dump($zip->close());
foreach ([null, 'wrong', 'right', 'own password'] as $password) {
    $zip = new ZipArchive;
    $zip->open($file, ZipArchive::RDONLY);
    if ($password !== null) {
        $zip->setPassword($password);
    }
    echo "-- $password\n";
    for ($i = 0; $i < $zip->numFiles; $i++) {
        $stat = $zip->statIndex($i);
        // One of 256 wrong passwords passes the traditional check.
        if ($password !== 'right' && $stat['name'] === 'TRAD_PKWARE') {
            continue;
        }
        echo $stat['name'], ' ', $stat['encryption_method'], ' ', $stat['size'], ' ';
        var_dump($zip->getFromIndex($i) === $text);
        echo $zip->status, ' ', $zip->getStatusString(), "\n";
    }
    $zip->close();
}
$context = stream_context_create(['zip' => ['password' => 'right']]);
foreach (['NONE', 'AES_256', 'missing'] as $name) {
    var_dump(@file_get_contents("zip://$file#$name", false, $context) === $text);
}
var_dump(@file_get_contents("zip://$file#AES_128"));
$zip->open($file);
$zip->setPassword('right');
$stream = $zip->getStream('AES_192');
var_dump(fread($stream, 11), fseek($stream, 5), ftell($stream), feof($stream), fstat($stream)['size']);
fclose($stream);
// The data as it is stored, encrypted and compressed.
var_dump(strlen($zip->getFromName('AES_256', 0, ZipArchive::FL_COMPRESSED)) < strlen($text));
$zip->close();
unlink($file);
