#define _GNU_SOURCE
#include "CLinux.h"

// ---- Event loop (SyncTransport) ----

int clinux_accept4(int socket, struct sockaddr *address, socklen_t *length, int flags) {
    return accept4(socket, address, length, flags);
}
