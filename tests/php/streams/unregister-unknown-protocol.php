<?php
var_dump(stream_wrapper_unregister('nothing'));
