<?php
if (1): endwhile;