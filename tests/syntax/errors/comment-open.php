<?php
f(); /* never
closed