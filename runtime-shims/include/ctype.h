/* Kinds of characters (C17 7.4). The functions are the host's. */
