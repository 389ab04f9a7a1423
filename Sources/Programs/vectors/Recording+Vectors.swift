import SyncSimulation
import SyncWire
import WebVectors

extension Recording {
    /// The bytes of a file of vectors.
    var vectors: [UInt8] {
        var bytes: [UInt8] = []
        for life in lives {
            Vector(.start, life.origin.message(), life.first.message()).append(to: &bytes)
            for step in life.steps {
                Vector(.receive, step.input.message(), step.output.message()).append(to: &bytes)
            }
        }
        return bytes
    }
}
