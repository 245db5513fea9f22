<?php
namespace Real;

/** A page in Markdown: so many sections that use most of the notation. */
function page(int $sections): string
{
    $text = '';
    for ($i = 1; $i <= $sections; $i++) {
        $text .= <<<MARKDOWN
        Section $i
        ==========

        Some *emphasis*, **strong words**, `code $i`, a [link](https://example.org/$i "title") and an
        ![image](picture-$i.png). A line with two spaces at its end  
        breaks; <https://example.org/auto/$i> links itself, and [so does this][ref$i].

        - one item
        - another, with **bold** and `code`
            1. first of the inner list
            2. second of the inner list
        - the last

        > A quotation of *several* lines,
        > with a [link](/local/$i).

        ```php
        foreach (\$list as \$key => \$value) { echo \$key, \$value; }
        ```

        ### A smaller heading &amp; an entity

        Text \\*not emphasised\\*, <b>raw</b> HTML and a rule:

        ---

        [ref$i]: https://example.org/reference/$i


        MARKDOWN;
    }
    return $text;
}
