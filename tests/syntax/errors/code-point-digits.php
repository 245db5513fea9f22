<?php
"a\u{xyz}";