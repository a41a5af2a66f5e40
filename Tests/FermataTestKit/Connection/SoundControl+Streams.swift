// SPDX-License-Identifier: MIT
package import AudioModel
import CPulse

// Volumes and sources.
extension SoundControl {
  /// Sets the volume of a playback stream as a mixer does, as a fraction of full volume: of all channels, or of each of two.
  package func setVolume(_ stream: SinkInput.Index, _ fraction: Double, right: Double? = nil) throws {
    let _: [Bool] = try unsafe connection.request("the volume of stream \(stream.rawValue)") { context, box in
      var volume = pa_cvolume()
      unsafe pa_cvolume_set(
        &volume, right == nil ? 1 : 2, pa_volume_t((Double(PA_VOLUME_NORM) * fraction).rounded()))
      if let right { volume.values.1 = pa_volume_t((Double(PA_VOLUME_NORM) * right).rounded()) }
      return unsafe pa_context_set_sink_input_volume(
        context, stream.rawValue, &volume,
        { _, success, box in unsafe Answer<Bool>.from(box)?.finish(isRefused: success == 0) }, box)
    }
  }

  /// Sets the volume of a sink as a mixer does, as a fraction of full volume.
  package func setVolume(sink: String, _ fraction: Double) throws {
    let _: [Bool] = try unsafe connection.request("the volume of \(sink)") { context, box in
      var volume = pa_cvolume()
      unsafe pa_cvolume_set(&volume, 1, pa_volume_t((Double(PA_VOLUME_NORM) * fraction).rounded()))
      return unsafe pa_context_set_sink_volume_by_name(
        context, sink, &volume,
        { _, success, box in unsafe Answer<Bool>.from(box)?.finish(isRefused: success == 0) }, box)
    }
  }

  /// The volume of a playback stream, as a fraction of full volume: the average of its channels.
  package func volume(of stream: SinkInput.Index) throws -> Double {
    let channels = try channelVolumes(of: stream)
    return channels.reduce(0, +) / Double(channels.count)
  }

  /// The volume of each channel of a playback stream, as a fraction of full volume.
  package func channelVolumes(of stream: SinkInput.Index) throws -> [Double] {
    try unsafe connection.request("stream \(stream.rawValue)") { context, box in
      unsafe pa_context_get_sink_input_info(
        context, stream.rawValue,
        { _, info, end, box in
          let answer = unsafe Answer<Double>.from(box)
          guard let info = unsafe info else { return answer.map { $0.end(end) } ?? () }
          var volume = unsafe info.pointee.volume
          unsafe withUnsafeBytes(of: &volume.values) { bytes in
            let steps = unsafe Array(bytes.bindMemory(to: pa_volume_t.self).prefix(Int(volume.channels)))
            for step in steps { answer?.add(Double(step) / Double(PA_VOLUME_NORM)) }
          }
        }, box)
    }
  }

  /// Waits until the server has a source with this name.
  package func wait(forSource name: String) throws {
    let deadline = Deadline.patient
    while true {
      let events = connection.events
      if try hasSource(name) { return }
      try connection.waitForEvent(after: events, "the source \(name)", until: deadline)
    }
  }

  private func hasSource(_ name: String) throws -> Bool {
    let names: [String] = try unsafe connection.request("the sources") { context, box in
      unsafe pa_context_get_source_info_list(
        context,
        { _, info, end, box in
          let answer = unsafe Answer<String>.from(box)
          guard let info = unsafe info?.pointee else { return answer.map { $0.end(end) } ?? () }
          unsafe answer?.add(String(cString: info.name))
        }, box)
    }
    return names.contains(name)
  }
}
