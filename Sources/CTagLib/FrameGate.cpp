// SPDX-License-Identifier: MIT
#include "FrameGate.hpp"

#include "BoundedStream.hpp"

using TagLib::ByteVector;

namespace ctag {

namespace {

/// Bytes of all texts of a tag: one of two bytes a value costs fifty times its length.
constexpr size_t mostTextBytes = 2 << 20;

/// Takes the compression flag off, so that the bytes are kept as they are.
void forgetCompression(FrameTypes::Header *header) {
  const unsigned int size = header->frameSize();
  const unsigned int version = header->version();
  ByteVector bytes = header->frameID();
  bytes.resize(version < 3 ? 6 : 10, 0);
  header->setData(bytes, version);
  header->setFrameSize(size);
}

}  // namespace

bool FrameGate::updateFrame(FrameTypes::Header *header) const {
  if (++frames_ > BoundedStream::mostFields) {
    header->setFrameSize(0);  // an empty frame ends the tag
    return false;
  }
  if (header->compression()) {
    forgetCompression(header);
    return false;
  }
  return isWanted(*header) && FrameFactory::updateFrame(header);
}

bool FrameGate::isWanted(const FrameTypes::Header &header) const {
  const ByteVector id = header.frameID();
  if (id.startsWith("APIC") || id.startsWith("PIC")) {
    return header.frameSize() <= largestPicture_ + 1024;
  }
  if (!id.startsWith("T") && !id.startsWith("COM") && id != "USLT" && id != "ULT" && id != "PCST") return false;
  textBytes_ += header.frameSize();
  return textBytes_ <= mostTextBytes;
}

}  // namespace ctag
