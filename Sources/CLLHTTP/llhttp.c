// Debian ships llhttp as sources; each has to be a translation unit of its own.
#include "/usr/share/llhttp/llhttp.c"
