import SyncTransport
import Testing

/// The small parts that need no socket.
struct PieceTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func base64HasTheKnownForm(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == Array(text.utf8))
        #expect(Base64.decode(text.utf8) == Array(plain.utf8))
    }

    @Test func base64CarriesEveryByte() {
        for length in 0..<300 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ length) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: ["Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zm 9", "Zg==Zg==", "Zm9\n"])
    func base64RefusesOtherForms(text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }

    @Test func headersKeepOrderAndDuplicates() {
        var headers: HTTPHeaders = ["A": "1", "b": "2", "a": "3"]
        #expect(headers["a"] == "1")
        #expect(headers.values("A") == ["1", "3"])
        #expect(headers["c"] == nil)
        headers.set("a", "4")
        #expect(headers.fields.map(\.name) == ["b", "a"])
    }

    @Test func percentEncodingCarriesEveryByte() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(PercentEncoding.decode(PercentEncoding.encode(bytes).utf8) == bytes)
        #expect(PercentEncoding.decode("a+b".utf8, plusIsSpace: true) == Array("a b".utf8))
        for text in ["%", "%4", "%zz", "a%4g"] {
            #expect(PercentEncoding.decode(text.utf8) == nil)
        }
    }
}
