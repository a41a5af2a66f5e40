// SPDX-License-Identifier: MIT
import AudioModel
import PlaybackLogic

extension RecordedTrace {
  static let pipeWireMoves = [
    RecordedTrace(
      "headphones in, through a profile", on: .pipeWire,
      reasons: [.newDeviceAvailable],
      """
      0 server found
      2 world built-in
        sink 59 built-in of 58 *speaker/speaker/unknown
        card 58 card.profiles pci speaker speaker/speaker/unknown socket/headphones/no
      192 stream ready
      193 sink changed 59
      193 card changed 58
      193 stream changed
      202 world built-in stream 65 on 59
      206 world built-in stream 65 on 59
      289 card changed 58
      295 sink removed 59
      296 server changed
      310 card changed 58
      310 stream changed
      310 sink new 84
      310 server changed
      310 sink changed 84
      310 card changed 58
      310 moved 84
      313 world socket stream 65 on 84
        sink 84 socket of 58 *socket/headphones/yes
        card 58 card.profiles pci socket speaker/speaker/unknown socket/headphones/yes
      314 world socket stream 65 on 84
      322 stream changed
      322 sink changed 84
      325 world socket stream 65 on 84
      """),
    RecordedTrace(
      "a Bluetooth headset turns to calls, and back to music", on: .pipeWire,
      reasons: [.categoryChange, .categoryChange],
      """
      0 server found
      11 world bluetooth.a2dp
        sink 38 speakers of -
        sink 61 bluetooth.a2dp of 60 *headset-output/headset/yes
        card 60 card.bluetooth bluetooth a2dp headset-output/headset/yes
      238 stream ready
      243 sink changed 61
      243 card changed 60
      243 stream changed
      259 world bluetooth.a2dp stream 67 on 61
      267 world bluetooth.a2dp stream 67 on 61
      383 sink removed 61
      384 server changed
      393 card changed 60
      393 stream changed
      393 sink new 86
      393 server changed
      398 server changed
      398 moved 38
      398 sink changed 86
      398 card changed 60
      398 server changed
      398 moved 86
      401 world bluetooth.hfp stream 67 on 86
        sink 38 speakers of -
        sink 86 bluetooth.hfp of 60 *headset-output/headset/yes
        card 60 card.bluetooth bluetooth hfp headset-output/headset/yes
      402 world bluetooth.hfp stream 67 on 86
      407 stream changed
      408 sink changed 86
      411 world bluetooth.hfp stream 67 on 86
      634 sink removed 86
      637 server changed
      647 card changed 60
      648 stream changed
      648 sink new 109
      648 server changed
      674 server changed
      674 moved 38
      674 sink changed 109
      674 card changed 60
      687 world speakers stream 67 on 38
        sink 38 speakers of -
        sink 109 bluetooth.a2dp of 60 *headset-output/headset/yes
        card 60 card.bluetooth bluetooth a2dp headset-output/headset/yes
      687 sink changed 109
      687 server changed
      701 moved 109
      702 world bluetooth.a2dp stream 67 on 109
      707 world bluetooth.a2dp stream 67 on 109
      725 stream changed
      726 sink changed 109
      738 world bluetooth.a2dp stream 67 on 109
      """),
    RecordedTrace(
      "a Bluetooth headset turns to calls, and WirePlumber overlooks its sink", on: .pipeWire,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      2 world bluetooth.a2dp
        sink 44 speakers of -
        sink 65 bluetooth.a2dp of 64 *headset-output/headset/yes
        card 64 card.bluetooth bluetooth a2dp headset-output/headset/yes
      155 stream ready
      156 sink changed 65
      156 card changed 64
      156 stream changed
      174 world bluetooth.a2dp stream 71 on 65
      185 world bluetooth.a2dp stream 71 on 65
      253 sink removed 65
      254 server changed
      258 card changed 64
      258 stream changed
      258 sink new 90
      258 server changed
      260 server changed
      262 moved 44
      263 world speakers stream 71 on 44
        sink 44 speakers of -
        sink 90 bluetooth.hfp of 64 *headset-output/headset/yes
        card 64 card.bluetooth bluetooth hfp headset-output/headset/yes
      264 sink changed 90
      264 card changed 64
      266 world speakers stream 71 on 44
      267 world speakers stream 71 on 44
      1295 sink changed 90
      1309 world speakers stream 71 on 44
      """),
    RecordedTrace(
      "a Bluetooth headset's profile is switched off", on: .pipeWire,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      7 world bluetooth.a2dp
        sink 36 speakers of -
        sink 61 bluetooth.a2dp of 60 *headset-output/headset/yes
        card 60 card.bluetooth bluetooth a2dp headset-output/headset/yes
      204 stream ready
      205 sink changed 61
      206 card changed 60
      206 stream changed
      209 world bluetooth.a2dp stream 67 on 61
      250 world bluetooth.a2dp stream 67 on 61
      301 sink removed 61
      308 server changed
      308 card changed 60
      308 stream changed
      308 server changed
      308 moved 36
      310 world speakers stream 67 on 36
        sink 36 speakers of -
        card 60 card.bluetooth bluetooth off headset-output/headset/yes
      311 world speakers stream 67 on 36
      """),
    RecordedTrace(
      "plugged in, and the server turns to it", on: .pipeWire,
      reasons: [.newDeviceAvailable],
      """
      0 server found
      10 world speakers
        sink 44 speakers of -
      242 stream ready
      246 stream changed
      254 world speakers stream 64 on 44
      271 card new 70
      279 sink new 71
      283 sink changed 71
      283 card changed 70
      283 server changed
      285 stream changed
      285 moved 71
      286 stream changed
      286 sink changed 71
      287 sink changed 71
      287 stream changed
      289 world headset stream 64 on 71
        sink 44 speakers of -
        sink 71 headset of 70 *headset-output/headset/unknown
        card 70 card.usb usb stereo headset-output/headset/unknown
      291 world headset stream 64 on 71
      293 stream changed
      293 sink changed 71
      297 world headset stream 64 on 71
      """),
    RecordedTrace(
      "the user changed the default", on: .pipeWire,
      reasons: [.override],
      """
      0 server found
      2 world speakers
        sink 36 speakers of -
        sink 38 others of -
      197 stream ready
      199 stream changed
      203 world speakers stream 80 on 36
      267 server changed
      270 world others stream 80 on 38
      270 moved 38
      271 stream changed
      271 stream changed
      273 world others stream 80 on 38
      274 stream changed
      """),
    RecordedTrace(
      "the user moved the music", on: .pipeWire,
      reasons: [.override],
      """
      0 server found
      3 world speakers
        sink 36 speakers of -
        sink 38 others of -
      158 stream ready
      161 stream changed
      174 world speakers stream 80 on 36
      174 stream changed
      175 moved 38
      175 stream changed
      176 stream changed
      179 world speakers stream 80 on 38
      180 stream changed
      """),
    RecordedTrace(
      "nothing is left, and the headset returns", on: .pipeWire,
      reasons: [.oldDeviceUnavailable, .noSuitableRouteForCategory, .newDeviceAvailable],
      """
      0 server found
      1 world headset
        sink 59 headset of 58 *headset-output/headset/unknown
        card 58 card.usb usb stereo headset-output/headset/unknown
      190 stream ready
      202 sink changed 59
      202 card changed 58
      202 stream changed
      210 world headset stream 65 on 59
      211 world headset stream 65 on 59
      277 card removed 58
      282 sink removed 59
      283 server changed
      283 stream changed
      283 sink new 84
      283 sink changed 84
      283 sink changed 84
      283 server changed
      286 moved 84
      287 sink changed 84
      287 stream changed
      288 world auto_null stream 65 on 84
        sink 84 auto_null of -
      289 world auto_null stream 65 on 84
      371 sink removed 84
      378 server changed
      378 card new 92
      378 sink new 93
      378 server changed
      378 sink changed 93
      378 card changed 92
      378 sink changed 93
      378 sink changed 93
      381 moved 93
      382 world headset stream 65 on 93
        sink 93 headset of 92 *headset-output/headset/unknown
        card 92 card.usb usb stereo headset-output/headset/unknown
      383 world headset stream 65 on 93
      468 sink changed 93
      488 world headset stream 65 on 93
      """),
  ]
}
