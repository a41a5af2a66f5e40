// SPDX-License-Identifier: MIT

/// Why a text is not a signature.
package enum SignatureError: Error, Sendable, Hashable, CustomStringConvertible {
  case tooLong(Int)
  case tooDeep(String)
  case endsEarly(String)
  case emptyStructure(String)
  case unknownCode(Character, in: String)
  case fileDescriptor(String)
  case badKey(Character, in: String)
  case entryOutsideArray(String)
  case entryNotAPair(String)
  case notOneType(String)

  /// The reason, for people.
  package var description: String {
    switch self {
    case .tooLong(let count): "a signature of \(count) bytes is longer than \(Signature.longest)"
    case .tooDeep(let text): "the signature \(text) nests deeper than \(Signature.deepest)"
    case .endsEarly(let text): "the signature \(text) ends within a type"
    case .emptyStructure(let text): "the signature \(text) holds a structure without fields"
    case .unknownCode(let code, let text): "the signature \(text) holds \(code), which is no type"
    case .fileDescriptor(let text): "the signature \(text) holds h: file descriptors are not taken here"
    case .badKey(let code, let text):
      "the signature \(text) has a key of type \(code), which is no basic type"
    case .entryOutsideArray(let text): "the signature \(text) has a dictionary entry outside an array"
    case .entryNotAPair(let text):
      "the signature \(text) has a dictionary entry that is not one key and one value"
    case .notOneType(let text): "the signature \"\(text)\" is not exactly one type"
    }
  }
}
