import Glibc

/// A counting semaphore.
@safe final class Semaphore: @unchecked Sendable {
    // Unchecked: the kernel keeps the count.
    private let storage: UnsafeMutablePointer<sem_t>

    init() {
        unsafe storage = .allocate(capacity: 1)
        unsafe sem_init(storage, 0, 0)
    }

    deinit {
        unsafe sem_destroy(storage)
        unsafe storage.deallocate()
    }

    func signal() { unsafe sem_post(storage) }

    func wait() {
        while unsafe sem_wait(storage) != 0 {}
    }
}
