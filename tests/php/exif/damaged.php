<?php
// Images with bytes that are changed at random: what is read of them, and what is warned of, is what PHP reads and warns of.
$images = array_map(
    fn (string $text) => gzuncompress(base64_decode($text)),
    [
        'eNqdkr1rFEEYxp+d3fvwTi4XiY1GmCYogjBZDeiBhKABr4iI+g8c3ia3JJuVY4s0Nik0ZbhK/ICY3lLQQkhhYaliEe0sLGzEqIWC3vjMx2EaGw' .
        'eeeX+8XzvvzOpdPUQjX5RFL5Fp1llK9Ifw4vxaugi02ydRBVDHWCBQJg2oJvkw7V3qUBAioDWxI0HJ8mPqqOcn1AmfI6iYtRO0z039uuPX1P0H' .
        'ARq0H6n0TmTzv1FTG46XWfyCWugsJ33MySzvJivSnzqzzktMM6nGmhWrWLXUdEvFUp1uqTMtNYMrvbzIl/qdmz0WzHfTIu/jOlIUWEGCX6yawL' .
        '11d/RP3B563uN2fCO0I3TxEtisICKrOFbBoGZzfnKLyCaHU+L2oGLHGyfXBq7PFLns+RRZbLnxntaB0POrCtDYdjkzzGluu+sLqS/6oO1/ntue' .
        'rls/1+xXXbb821ybrlp+OwS+6wOWNz8PtdaBZaOS/9aCcA0M36ImqZrpw2wTotGhjxvf3LUL7Ta5I2/kWZasFlLKeNTTP/HWGEbn4vox66zYEf' .
        'QKe2tXz50l+RucVsrEIxs19Zdtn5Kd95Ewff+e+xgjvCo88+dW3l/19k1k3mf/27NNuO8fDYQbXLK78DyJ/116V+9gvIqm7Tdyvke4pt/9O/IH' .
        'QQJ/xw==',
        'eNrNkjtrVEEUx/8z9+4ju5psghZqAtOIj2pyjRAXJAQJuEUkJPoBFvfqLma9stzCxiZCTBm2Eh8QUlpZapdGsBE0RFDJF0gjvgoLk/E/j8V8BA' .
        'f+c36cc+bcc2Zuo3EeZQBHARFBkI5RQsSOK9SIkCjSvqBq5OO0L6mxkG9jJ0XB8RvqVOB31NmQI6mEZ23tj9TjFc971NNnAsO0+1Tnkf9uldvp' .
        'Nc8PeXiXmm/eSXuYVd2slS6r7JbK26nqOudV2zJlrV2JTnRdT9Z1ovSFup6q64tYaGd5drvXvNfmgblWJ896uI4OciwjxR83+JMV3zo7xfPAQ+' .
        'Qza5EboYW3wHoJMVkniRb9issZZTAm25wT3Fb7JTfeOXKl7+tcJhcDz5Hlhh/vVRWIAr8vAcObPmeeObVNf30R9c0ccfVvcPtuqs7PNfPDFB3b' .
        '6/tpyo53DoBfZsjx+tcDY4zwc1GF8K1U+gKWH1Dj4bn3mW1DNCYKceubXbrSaJCb6mbW7aZ3c6VUMqgZnnhjBIO+uH7PeCu3JL3S3dripWlSuM' .
        'FJrW08dlF7/pqrU3Dzvpa27r++JxjhVeFD6FsHfznY7di+z+G3Z5no0D8qpB9csboMPI7/YZlPZgujZdRcbwPnF0T3zee/821r4g==',
        'eNqdUr9PFEEU/mZ2D847cxwEGn8k0xCNicmwQgKXGEKURIozRv0HLt7CbWBZc9mChuYKoCRbEcDkoKck0cKEwsJSjQXaWVjYGBELTfTGN7Oze5' .
        'WNL3nzvpn3vTfvvRl1qnqoRIsibvkiCBtLvvrk3J1fCxaBeh03ABRRZkPghAZIE1Y1eIx0h43AIcu0h11CwWDgiF3O8TG7bjkUxTwTO0r6srOT' .
        '47f7e4ZbIf28GcC1sedb4xnmy6Sv6o1lv405EUZNf0XYqkNzSHLPhmkLT3qyJidq0hPyVk1O1uQUHrSiOFpqN562KGC+GcRRG48RIMYKfPzWYa' .
        'Od3ax09qXzLMdnW9dMGxxNvN4GBgm70vNkwlCynF+JazC1xVmyYTjUHh9OSlkePp4M5Phml2ftlZ93nQwPvjms5Jypw6odH63qGy7a/LfVGcq2' .
        '31n13TwN+0OLOqcHI9x7T/gHLmisel+3lTJcppduIR9rHano43XSK6QlpZROxckqsuZ+fTb36M7CAm0a4kkUhv5qLITQo7bxhbS2oa7dk/ycTS' .
        '0/IY/5AnAfzkxrXjrBCSkNwbVeft/QTS66lx8QyuvGVcOhvvkLW7e0dxVT674j2+y/PSVhTv+PcpY17gieD980/R+iTtUJhouoQjj9w49w1tSH' .
        'f3v+AilRf88=',
        'eNrFUjtLXEEU/mbuXV13fayiRUwC04iaarwaSBaCSBC02BCS+AMW9+ouurlhuUUamxUSS7mV5AGLpZWl6WwCaQJJSCAJ/gGbkFeRIjqemTt39i' .
        'c4cM75ZuY7Z85jKhXcAJDHAAM8QgyjpBh8g4ECGwIn20NywEoGj5EcshHLpxs2jpzlv2VXHX7PpiyHvFhgfCk6vrT3HD599dJwB0nOnjeyd1lx' .
        'ZyLDfJvkpFLdCFtYEM2oFm6KaE3E9VA0zSGtJfuktghkIMtypiwDIWfLcq4sb+J+PYqj9Vb1SZ0cFmuNOGrhERqIsYkQ/7XbaPtFljpn7dcO9+' .
        '1MmjI4ani3C/QS9mUQyIShYDnDiW8wlcWvJM8Mh8rj00nBxbmT9Di82OFZecWjjpfh3g/7g45T2S/Z9pFWP9Fv46+oXyjaeufVbzMadkZK/aFB' .
        'Ej7/TPgv+jRW5z92lTJcplUn59oaIl36eIvkmh63UkqH4mQV7JfQZwsP7y4v06YqVqNmM3wcCyF0q61/Ls1tqGP3tP7Np5Yf0435AvAf3L6leW' .
        'kHZ6Q0BN/e8nuGbmLRu/wNIZc3rhsO1c0/2rylfSufWv8T2Vp39hSEed0/yt2f9gR3zTdFX/JSX9UxhvMoQXjdw+/wnqpvF+OYa+o=',
    ],
);
$folder = sys_get_temp_dir() . '/phlox-exif-damaged-' . getmypid();
mkdir($folder);
$file = "$folder/image";
$messages = [];
set_error_handler(function (int $level, string $message) use (&$messages, $file): bool {
    $messages[] = "$level " . str_replace($file, 'FILE', $message);
    return true;
});
mt_srand(20);
foreach ($images as $number => $image) {
    foreach (range(1, 5) as $part) {
        $results = $messages = [];
        for ($round = 0; $round < 40; $round++) {
            $data = $image;
            for ($count = mt_rand(1, 6); $count > 0; $count--) {
                $place = mt_rand(0, strlen($data) - 1);
                $data[$place] = chr([0, 255, 1, mt_rand(0, 255), ord($data[$place]) ^ 1 << mt_rand(0, 7)][mt_rand(0, 4)]);
            }
            if (mt_rand(0, 7) === 0) {
                $data = substr($data, 0, mt_rand(0, strlen($data)));
            }
            file_put_contents($file, $data);
            touch($file, 1000000000);
            $width = $height = $type = null;
            $read = exif_read_data($file, ['', 'IFD0', 'EXIF, GPS'][$round % 3], (bool) ($round & 1), (bool) ($round & 2));
            ob_start();
            var_dump($read);
            $results[] = ob_get_clean();
            $results[] = [exif_thumbnail($file, $width, $height, $type), $width, $height, $type, exif_imagetype($file)];
        }
        echo $number, ' ', $part, ' ', md5(serialize($results)), ' ', count($messages), ' ', md5(implode("\n", $messages)), "\n";
    }
}
unlink($file);
rmdir($folder);
