// What Swift's runtime asks of an operating system, for a module that has none.

#include <stddef.h>
#include <stdint.h>

// --- Memory: blocks of four sizes to each power of two, kept by size when they are freed. ---

enum { page = 65536, smallest = 16, classes = 112 };

// In front of each block, so that it is aligned as its header is.
typedef struct header {
    struct header *next;
    uint32_t class;
    uint32_t unused[2];
} header;

static header *freed[classes];
static uintptr_t fresh, end;
extern unsigned char __heap_base;

static size_t size_of_class(uint32_t class) {
    size_t doubled = (size_t)smallest << (class / 4);
    return (doubled + doubled / 4 * (class % 4) + 15) & ~(size_t)15;
}

static uint32_t class_of_size(size_t size) {
    uint32_t class = 0;
    while (class < classes && size_of_class(class) < size) class++;
    return class;
}

static void *carve(size_t size) {
    if (fresh == 0) {
        fresh = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
        end = __builtin_wasm_memory_size(0) * page;
    }
    if (size > end - fresh) {
        size_t pages = (size - (end - fresh) + page - 1) / page;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) __builtin_trap();
        end += pages * page;
    }
    void *place = (void *)fresh;
    fresh += size;
    return place;
}

void *malloc(size_t size) {
    if (size > UINT32_MAX / 4) __builtin_trap();
    uint32_t class = class_of_size(size);
    header *block = freed[class];
    if (block) {
        freed[class] = block->next;
    } else {
        block = carve(sizeof(header) + size_of_class(class));
        block->class = class;
    }
    return block + 1;
}

void free(void *place) {
    if (!place) return;
    header *block = (header *)place - 1;
    block->next = freed[block->class];
    freed[block->class] = block;
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    // Nothing in Swift's standard library asks for more than vectors need.
    if (alignment > 16) __builtin_trap();
    *place = malloc(size);
    return 0;
}

// --- Bytes. ---

void *memcpy(void *to, const void *from, size_t count) {
    return __builtin_memcpy(to, from, count);
}

void *memmove(void *to, const void *from, size_t count) {
    return __builtin_memmove(to, from, count);
}

void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

int memcmp(const void *one, const void *other, size_t count) {
    const unsigned char *a = one, *b = other;
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count]) count++;
    return count;
}

// --- Numbers: a product of 128 bits, which the processor does not have. ---

__int128 __multi3(__int128 one, __int128 other) {
    uint64_t a = (uint64_t)one, b = (uint64_t)other;
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t middle = a1 * b0 + (low >> 32);
    uint64_t carry = a0 * b1 + (uint32_t)middle;
    uint64_t high = a1 * b1 + (middle >> 32) + (carry >> 32);
    high += (uint64_t)(one >> 64) * b + a * (uint64_t)(other >> 64);
    return (__int128)((unsigned __int128)high << 64 | (carry << 32 | (uint32_t)low));
}

// --- Chance: for dictionaries only; the page gives it once, by ubiquity_seed. ---

static uint64_t seed = 1;

__attribute__((export_name("ubiquity_seed"))) void ubiquity_seed(uint32_t high, uint32_t low) {
    seed = (uint64_t)high << 32 | low;
}

void arc4random_buf(void *to, size_t count) {
    unsigned char *bytes = to;
    for (size_t i = 0; i < count; i++) {
        seed += 0x9E3779B97F4A7C15;
        uint64_t mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
        bytes[i] = (unsigned char)(mixed >> 56);
    }
}

// --- Ends. ---

uintptr_t __stack_chk_guard = 0x5AFEC0DE;

_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }

// Nothing is printed: a precondition that fails ends the module.
int putchar(int byte) { return byte; }
