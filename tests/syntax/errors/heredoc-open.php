<?php
<<<A
b
