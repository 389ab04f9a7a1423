import Glibc
import Notes

/// The arguments as they came: names of files are bytes and need not be text.
func argumentBytes() -> [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
        guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
        return unsafe UnsafeBufferPointer(start: argument, count: strlen(argument)).map {
            UInt8(bitPattern: $0)
        }
    }
}

exit(await NotesProgram.run(argumentBytes()))
