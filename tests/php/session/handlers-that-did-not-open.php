<?php
// A handler that could not open its storage is closed all the same, and says that it is not open.
ini_set('session.save_path', '');
ini_set('open_basedir', '/nowhere');
session_set_save_handler(new SessionHandler(), true);
var_dump(session_start());
