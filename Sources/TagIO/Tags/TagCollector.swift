// SPDX-License-Identifier: MIT
internal import CTagLib
internal import MediaModel

/// Takes what the C side finds in one file. Used by one thread, during one call.
final class TagCollector {
  private(set) var properties = TagProperties()
  private(set) var picture: [UInt8] = []

  /// Callbacks that lead to this object but do not retain it: the caller keeps it alive until the call is over.
  func findings(picture isWanted: Bool) -> ctag_findings {
    unsafe ctag_findings(
      context: Unmanaged.passUnretained(self).toOpaque(),
      text: { context, name, nameSize, value, valueSize in
        unsafe TagCollector.at(context)?.add(
          String(bytes: value, count: valueSize), to: String(bytes: name, count: nameSize))
      },
      picture: isWanted
        ? { context, bytes, size in
          unsafe TagCollector.at(context)?.picture = Array(UnsafeBufferPointer(start: bytes, count: size))
        } : nil)
  }

  private func add(_ value: String, to name: String) { properties.add(value, to: name) }

  private static func at(_ context: UnsafeMutableRawPointer?) -> TagCollector? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<TagCollector>.fromOpaque(context).takeUnretainedValue()
  }
}

extension String {
  /// The text of these bytes; those that are not UTF-8 are replaced.
  fileprivate init(bytes: UnsafePointer<CChar>?, count: Int) {
    self = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
