/// Apple's uniform type identifiers of common files, and which of them conform to which.
///
/// Linux has no such register; a file of another kind is `public.data`.
package enum UniformType {
    /// The type of an item, by what it is and its name's extension.
    package static func of(_ kind: Kind, named name: [UInt8]) -> String {
        switch kind {
        case .folder: return "public.folder"
        case .link: return "public.symlink"
        case .file: return ofFile(withExtension: fileExtension(of: name)) ?? "public.data"
        case .package:
            return ofFile(withExtension: fileExtension(of: name)) ?? "com.apple.package"
        }
    }

    /// Nil for an extension that is not common.
    package static func ofFile(withExtension text: String) -> String? {
        switch text {
        case "txt", "text": "public.plain-text"
        case "md", "markdown": "net.daringfireball.markdown"
        case "json": "public.json"
        case "xml": "public.xml"
        case "yaml", "yml": "public.yaml"
        case "html", "htm": "public.html"
        case "css": "public.css"
        case "csv": "public.comma-separated-values-text"
        case "rtf": "public.rtf"
        case "rtfd": "com.apple.rtfd"
        case "pdf": "com.adobe.pdf"
        case "swift": "public.swift-source"
        case "c": "public.c-source"
        case "h": "public.c-header"
        case "py": "public.python-script"
        case "sh": "public.shell-script"
        case "js": "com.netscape.javascript-source"
        case "plist": "com.apple.property-list"
        case "textbundle": "org.textbundle.package"
        case "zip": "public.zip-archive"
        default: ofMedia(withExtension: text)
        }
    }

    private static func ofMedia(withExtension text: String) -> String? {
        switch text {
        case "png": "public.png"
        case "jpg", "jpeg": "public.jpeg"
        case "gif": "com.compuserve.gif"
        case "tif", "tiff": "public.tiff"
        case "heic": "public.heic"
        case "webp": "org.webmproject.webp"
        case "svg": "public.svg-image"
        case "mp3": "public.mp3"
        case "m4a": "com.apple.m4a-audio"
        case "wav": "com.microsoft.waveform-audio"
        case "mp4": "public.mpeg-4"
        case "mov": "com.apple.quicktime-movie"
        default: nil
        }
    }

    private static func fileExtension(of name: [UInt8]) -> String {
        guard let dot = name.lastIndex(of: 0x2E), dot > 0 else { return "" }
        return String(decoding: Array(name[(dot + 1)...]).asciiLowercased, as: UTF8.self)
    }

    /// The type and all that it conforms to, the nearest first.
    package static func tree(of type: String) -> [String] {
        var tree = [type]
        var next = 0
        while next < tree.count {
            for parent in parents(of: tree[next]) where !tree.contains(parent) {
                tree.append(parent)
            }
            next += 1
        }
        return tree
    }

    /// Whether a type is another one or conforms to it; for `UTI-CONFORMS-TO`.
    package static func conforms(_ type: [UInt8], _ other: [UInt8]) -> Bool {
        let type = String(decoding: type.asciiLowercased, as: UTF8.self)
        let other = other.asciiLowercased
        return tree(of: type).contains { Array($0.utf8).asciiLowercased == other }
    }

    private static func parents(of type: String) -> [String] {
        switch type {
        case "public.plain-text", "public.rtf", "public.html", "public.xml", "public.css",
            "public.json", "public.yaml":
            ["public.text"]
        case "net.daringfireball.markdown", "public.source-code":
            ["public.plain-text"]
        case "public.comma-separated-values-text": ["public.delimited-values-text"]
        case "public.delimited-values-text": ["public.text"]
        case "public.swift-source", "public.c-source", "public.c-header", "public.script":
            ["public.source-code"]
        case "public.python-script", "public.shell-script", "com.netscape.javascript-source":
            ["public.script"]
        case "public.text": ["public.data", "public.content"]
        case "com.adobe.pdf": ["public.data", "public.composite-content"]
        case "public.png", "public.jpeg", "com.compuserve.gif", "public.tiff", "public.heic",
            "org.webmproject.webp", "public.svg-image":
            ["public.image"]
        case "public.image": ["public.data", "public.content"]
        case "public.mp3", "com.apple.m4a-audio", "com.microsoft.waveform-audio": ["public.audio"]
        case "public.mpeg-4", "com.apple.quicktime-movie": ["public.movie"]
        case "public.audio", "public.movie": ["public.audiovisual-content"]
        case "public.audiovisual-content": ["public.data", "public.content"]
        case "com.apple.rtfd": ["com.apple.package", "public.composite-content"]
        case "org.textbundle.package": ["com.apple.package", "public.composite-content"]
        case "public.composite-content": ["public.content"]
        case "public.zip-archive": ["public.data", "public.archive"]
        case "com.apple.property-list": ["public.data"]
        case "com.apple.package", "public.folder": ["public.directory"]
        case "public.data", "public.directory", "public.symlink": ["public.item"]
        default: []
        }
    }
}
