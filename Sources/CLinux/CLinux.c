#define _GNU_SOURCE
#include "CLinux.h"

// ---- Event loop (SyncTransport) ----

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

const uint32_t clinux_epoll_readable = EPOLLIN;
const uint32_t clinux_epoll_writable = EPOLLOUT;
const uint32_t clinux_epoll_broken = EPOLLERR | EPOLLHUP;

int clinux_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static int control(int epoll, int operation, int descriptor, uint32_t events, uint64_t key) {
    struct epoll_event event = {.events = events, .data.u64 = key};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t key) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, events, key);
}

int clinux_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t key) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, events, key);
}

int clinux_epoll_wait(int epoll, uint64_t *keys, uint32_t *events, int count_max, int timeout) {
    struct epoll_event ready[256];
    int count = epoll_wait(epoll, ready, count_max < 256 ? count_max : 256, timeout);
    for (int index = 0; index < count; index++) {
        keys[index] = ready[index].data.u64;
        events[index] = ready[index].events;
    }
    return count;
}

int clinux_eventfd_create(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

void clinux_eventfd_signal(int descriptor) {
    eventfd_write(descriptor, 1);
}

void clinux_eventfd_clear(int descriptor) {
    eventfd_t count;
    eventfd_read(descriptor, &count);
}

int clinux_accept(int listener, void *address, uint32_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// ---- Memory (SyncDevice) ----

#include <malloc.h>

void clinux_map_long_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

void clinux_give_memory_back(void) { malloc_trim(0); }
