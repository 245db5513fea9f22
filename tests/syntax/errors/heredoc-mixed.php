<?php
<<<A
 	a
 	A;