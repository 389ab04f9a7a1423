// What Linux offers and Swift's Glibc module does not reach. Each function says why it is here.
#pragma once

// ---- Event loop (SyncTransport) ----

// Swift's Glibc module does not include these two headers.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// accept4 is declared for _GNU_SOURCE only.
int clinux_accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
