// What Linux offers and Swift's Glibc module does not reach. Each function says why it is here.
#pragma once

// ---- Event loop (SyncTransport) ----

// Plain numbers only: a header of the system included here would make its types this module's, and
// files that import Glibc alone would lose them.
#include <stdint.h>

// epoll and eventfd are not in Swift's Glibc module.
extern const uint32_t clinux_epoll_readable;
extern const uint32_t clinux_epoll_writable;
extern const uint32_t clinux_epoll_broken;

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t key);
int clinux_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t key);
// Fills keys and events, and gives how many there are.
int clinux_epoll_wait(int epoll, uint64_t *keys, uint32_t *events, int count_max, int timeout);

int clinux_eventfd_create(void);
void clinux_eventfd_signal(int descriptor);
void clinux_eventfd_clear(int descriptor);

// accept4 is declared for _GNU_SOURCE only. The address is a sockaddr.
int clinux_accept(int listener, void *address, uint32_t *length);

// ---- Memory (SyncDevice) ----

// mallopt and malloc_trim are not in Swift's Glibc module. Long blocks are mapped by themselves, so
// that they go back to the system when they are freed.
void clinux_map_long_blocks(void);
void clinux_give_memory_back(void);

// ---- Disk (SyncDevice) ----

#include "disk.h"
