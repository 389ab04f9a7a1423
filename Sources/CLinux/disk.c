#define _GNU_SOURCE
#include "disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int stat_into(int folder, const char *name, int flags, struct clinux_file *file) {
    struct statx found;
    unsigned wanted = STATX_BASIC_STATS | STATX_BTIME;
    if (statx(folder, name, flags | AT_NO_AUTOMOUNT, wanted, &found) != 0) return -1;
    *file = (struct clinux_file){
        .device = makedev(found.stx_dev_major, found.stx_dev_minor),
        .inode = found.stx_ino,
        .size = found.stx_size,
        .birth_seconds = found.stx_mask & STATX_BTIME ? found.stx_btime.tv_sec : 0,
        .birth_nanoseconds = found.stx_mask & STATX_BTIME ? found.stx_btime.tv_nsec : 0,
        .modified_seconds = found.stx_mtime.tv_sec,
        .modified_nanoseconds = found.stx_mtime.tv_nsec,
        .changed_seconds = found.stx_ctime.tv_sec,
        .changed_nanoseconds = found.stx_ctime.tv_nsec,
        .links = found.stx_nlink,
        .mode = found.stx_mode,
        .is_mount = (found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0,
    };
    return 0;
}

int clinux_stat(int folder, const char *name, struct clinux_file *file) {
    return stat_into(folder, name, AT_SYMLINK_NOFOLLOW, file);
}

int clinux_stat_open(int descriptor, struct clinux_file *file) {
    return stat_into(descriptor, "", AT_EMPTY_PATH, file);
}

int clinux_open_folder(int folder, const char *path) {
    struct open_how how = {
        .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
        .resolve = RESOLVE_NO_SYMLINKS,
    };
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int clinux_open_entry(int folder, const char *name) {
    return openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

int clinux_open_content(int folder, const char *name) {
    int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    int descriptor = openat(folder, name, flags | O_NOATIME);
    // Only the owner may leave the access time alone.
    if (descriptor < 0 && errno == EPERM) descriptor = openat(folder, name, flags);
    return descriptor;
}

int clinux_open_again(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

// A map of a file that is cut meanwhile ends whoever reads behind its new end; a system call that
// is given such an address only fails. So the bytes go through a file in memory.
intptr_t clinux_read_mapped(int file, int64_t offset, void *buffer, size_t size, int scratch) {
    size_t lead = (size_t)(offset % sysconf(_SC_PAGESIZE));
    char *map =
        mmap(NULL, lead + size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, offset - (int64_t)lead);
    if (map == MAP_FAILED) return -1;
    size_t copied = 0;
    while (copied < size) {
        ssize_t put = pwrite(scratch, map + lead + copied, size - copied, (off_t)copied);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) break;
        copied += (size_t)put;
    }
    munmap(map, lead + size);
    size_t filled = 0;
    while (filled < copied) {
        ssize_t got = pread(scratch, (char *)buffer + filled, copied - filled, (off_t)filled);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        filled += (size_t)got;
    }
    return (intptr_t)filled;
}

int clinux_open_new(int folder, const char *name, unsigned mode) {
    return openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

int clinux_begin_writing(int descriptor) {
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int clinux_open_own(int folder, const char *name, unsigned mode) {
    return openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode);
}

intptr_t clinux_copy_range(int from, int64_t offset, int to, size_t count) {
    off_t start = offset;
    return copy_file_range(from, &start, to, NULL, count, 0);
}

int64_t clinux_next_data(int descriptor, int64_t offset) {
    return lseek(descriptor, offset, SEEK_DATA);
}

intptr_t clinux_read_folder(int folder, void *buffer, size_t size) {
    return getdents64(folder, buffer, size);
}

int clinux_rename_new(int from, const char *name, int to, const char *target) {
    return renameat2(from, name, to, target, RENAME_NOREPLACE);
}

int clinux_exchange(int one, const char *name, int other, const char *target) {
    return renameat2(one, name, other, target, RENAME_EXCHANGE);
}

int clinux_set_modified(int folder, const char *name, int64_t seconds, uint32_t nanoseconds) {
    struct timespec times[2] = {
        {.tv_sec = 0, .tv_nsec = UTIME_OMIT},
        {.tv_sec = seconds, .tv_nsec = nanoseconds},
    };
    return utimensat(folder, name, times, AT_SYMLINK_NOFOLLOW);
}

// A read lease is granted only while nobody has the file open for writing. It is given back at
// once; a writer who comes in between waits that long. The kernel would tell us of him by SIGIO,
// which ends a program; SIGURG does nothing.
int clinux_has_writer(int descriptor) {
    if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return -1;
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? 1 : -1;
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 0;
}

// A write lease is granted only while nobody else has the file open. It is given back at once, too.
int clinux_has_others(int descriptor) {
    if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return -1;
    if (fcntl(descriptor, F_SETLEASE, F_WRLCK) != 0) return errno == EAGAIN ? 1 : -1;
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 0;
}

int clinux_sync_all(int descriptor) { return syncfs(descriptor); }

int clinux_give_back(int descriptor, int64_t offset, int64_t count) {
    return fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, count);
}

// Those that are known to keep every byte; any other is asked after each new name.
int clinux_mangles_names(int descriptor) {
    struct statfs system;
    if (fstatfs(descriptor, &system) != 0) return -1;
    switch ((unsigned long)system.f_type) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
        return 0;
    default:
        return 1;
    }
}

int clinux_open_memory(void) { return memfd_create("ubiquity", MFD_CLOEXEC); }
