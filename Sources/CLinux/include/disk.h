// Disk: the calls by which a device sees, watches and changes its files.
//
// They are here because they need _GNU_SOURCE, which Swift's Glibc module is built without, or a
// variable list of arguments. All of them return -1 and set errno when they fail.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/inotify.h>

/// What statx says of a directory entry, for a device.
struct clinux_file {
    uint64_t device;
    uint64_t inode;
    uint64_t size;
    int64_t birth_seconds;
    int64_t modified_seconds;
    int64_t changed_seconds;
    uint32_t birth_nanoseconds;
    uint32_t modified_nanoseconds;
    uint32_t changed_nanoseconds;
    uint32_t links;
    /// Type and permissions, as in st_mode.
    uint16_t mode;
    /// 1 for the root of another file system that is mounted here.
    uint8_t is_mount;
};

/// Looks at a name and follows no link.
int clinux_stat(int folder, const char *name, struct clinux_file *file);
/// Looks at what a descriptor stands for.
int clinux_stat_open(int descriptor, struct clinux_file *file);

/// Opens a folder for use in other calls only; no link is followed anywhere in the path.
int clinux_open_folder(int folder, const char *path);
/// Opens an entry of any kind for use in other calls only; no link is followed.
int clinux_open_entry(int folder, const char *name);
/// Opens for reading without waiting for anything, and without a new access time where we own it.
int clinux_open_content(int folder, const char *name);
/// Opens what is open already, by its path below `/proc`, for use in other calls only.
int clinux_open_again(const char *path);
/// Reads without telling a watch for readers, by way of a file in memory; fewer bytes where the
/// file ends or cannot be read.
intptr_t clinux_read_mapped(int file, int64_t offset, void *buffer, size_t size, int scratch);
/// Makes a file that was not there and opens it for writing.
int clinux_open_new(int folder, const char *name, unsigned mode);

/// Directory entries as getdents64 lays them out; 0 at the end.
intptr_t clinux_read_folder(int folder, void *buffer, size_t size);

/// Renames and never replaces.
int clinux_rename_new(int from, const char *name, int to, const char *target);
/// Swaps two names.
int clinux_exchange(int one, const char *name, int other, const char *target);
/// Sets the modification time; the access time stays.
int clinux_set_modified(int folder, const char *name, int64_t seconds, uint32_t nanoseconds);

/// 1 if anybody has the file open for writing, 0 if nobody has; the file is open for reading only.
int clinux_has_writer(int descriptor);
/// 1 if anybody else has the file open, 0 if nobody has, -1 if that cannot be known; the file is
/// open for reading only.
int clinux_has_others(int descriptor);

/// Has the kernel begin to write what of the file is in memory only; waits for nothing.
int clinux_begin_writing(int descriptor);
/// Opens a file of ours for reading and writing, and makes it if it is not there.
int clinux_open_own(int folder, const char *name, unsigned mode);
/// Copies at most so many bytes from a place in one file to the end of another; gives how many.
intptr_t clinux_copy_range(int from, int64_t offset, int to, size_t count);
/// Where, from the offset on, the file has data; -1 with ENXIO if there is none.
int64_t clinux_next_data(int descriptor, int64_t offset);
/// Makes everything durable that was written to the file system.
int clinux_sync_all(int descriptor);
/// Gives the room of a stretch back; its bytes read as zeros, and the file stays as long as it is.
int clinux_give_back(int descriptor, int64_t offset, int64_t count);
/// 1 if the file system may hand back another name than it was given.
int clinux_mangles_names(int descriptor);
/// A file in memory, without a name.
int clinux_open_memory(void);
