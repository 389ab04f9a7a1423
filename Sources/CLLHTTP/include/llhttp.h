// The HTTP/1.1 parser of Debian's package node-llhttp. This file has the name that Debian's own
// sources include.
#include "/usr/share/include/llhttp/llhttp.h"
