// SPDX-License-Identifier: MIT
import AudioModel
import PlaybackLogic

extension RecordedTrace {
  static let pipeWireSockets = [
    RecordedTrace(
      "plugged in", on: .pipeWire,
      reasons: [.newDeviceAvailable],
      """
      0 server found
      11 world laptop
        sink 59 laptop of 58 *speaker/speaker/unknown headphones/headphones/no
        card 58 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/no
      210 stream ready
      211 sink changed 59
      211 card changed 58
      212 stream changed
      221 world laptop stream 65 on 59
      234 world laptop stream 65 on 59
      309 card changed 58
      309 sink changed 59
      309 sink changed 59
      318 world laptop stream 65 on -
        sink 59 laptop of 58 speaker/speaker/no *headphones/headphones/yes
        card 58 card.laptop pci stereo speaker/speaker/no headphones/headphones/yes
      318 stream changed
      318 stream changed
      320 world laptop stream 65 on 59
      322 world laptop stream 65 on 59
      """),
    RecordedTrace(
      "jack out, and the server turns to the speaker", on: .pipeWire,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      1 world laptop
        sink 59 laptop of 58 speaker/speaker/no *headphones/headphones/yes
        card 58 card.laptop pci stereo speaker/speaker/no headphones/headphones/yes
      306 stream ready
      311 sink changed 59
      311 card changed 58
      311 stream changed
      318 world laptop stream 65 on 59
      321 world laptop stream 65 on 59
      406 card changed 58
      406 sink changed 59
      408 world laptop stream 65 on 59
        sink 59 laptop of 58 speaker/speaker/unknown *headphones/headphones/no
        card 58 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/no
      410 stream changed
      411 sink changed 59
      414 world laptop stream 65 on -
        sink 59 laptop of 58 *speaker/speaker/unknown headphones/headphones/no
        card 58 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/no
      415 world laptop stream 65 on -
      """),
    RecordedTrace(
      "the user chose a port", on: .pipeWire,
      reasons: [.override],
      """
      0 server found
      5 world laptop
        sink 59 laptop of 58 speaker/speaker/unknown *headphones/headphones/yes
        card 58 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/yes
      321 stream ready
      323 sink changed 59
      323 card changed 58
      323 stream changed
      332 world laptop stream 65 on 59
      335 world laptop stream 65 on 59
      422 sink changed 59
      424 world laptop stream 65 on 59
        sink 59 laptop of 58 *speaker/speaker/unknown headphones/headphones/yes
        card 58 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/yes
      """),
    RecordedTrace(
      "a speaker muted by another jack", on: .pipeWire,
      reasons: [.routeConfigurationChange],
      """
      0 server found
      2 world built-in
        sink 59 built-in of 58 *front/speaker/unknown rear/speaker/unknown
        card 58 card.speakers pci both front/speaker/unknown rear/speaker/unknown
      269 stream ready
      270 sink changed 59
      270 card changed 58
      270 stream changed
      274 world built-in stream 65 on 59
      274 world built-in stream 65 on 59
      440 card changed 58
      444 sink changed 59
      445 sink changed 59
      445 stream changed
      445 stream changed
      454 world built-in stream 65 on 59
        sink 59 built-in of 58 front/speaker/no *rear/speaker/unknown
        card 58 card.speakers pci both front/speaker/no rear/speaker/unknown
      459 world built-in stream 65 on 59
      """),
    RecordedTrace(
      "another device comes and goes", on: .pipeWire,
      reasons: [],
      """
      0 server found
      8 world speakers
        sink 36 speakers of -
      229 stream ready
      230 stream changed
      236 world speakers stream 60 on 36
      258 card new 66
      267 sink new 67
      271 sink changed 67
      271 card changed 66
      271 sink changed 67
      271 server changed
      274 world speakers stream 60 on 36
        sink 36 speakers of -
        sink 67 headset of 66 *headset-output/headset/unknown
        card 66 card.usb usb stereo headset-output/headset/unknown
      276 world speakers stream 60 on 36
      290 card removed 66
      290 sink removed 67
      290 server changed
      292 world speakers stream 60 on 36
        sink 36 speakers of -
      294 world speakers stream 60 on 36
      """),
    RecordedTrace(
      "a USB headset is pulled out", on: .pipeWire,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      2 world headset
        sink 36 speakers of -
        sink 61 headset of 60 *headset-output/headset/unknown
        card 60 card.usb usb stereo headset-output/headset/unknown
      168 stream ready
      169 sink changed 61
      170 card changed 60
      170 stream changed
      176 world headset stream 67 on 61
      177 world headset stream 67 on 61
      273 card removed 60
      273 sink removed 61
      273 server changed
      276 stream changed
      277 server changed
      278 moved 36
      279 world speakers stream 67 on 36
        sink 36 speakers of -
      280 world speakers stream 67 on 36
      """),
    RecordedTrace(
      "HDMI unplugged, through a profile", on: .pipeWire,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      2 world socket
        sink 60 socket of 58 *socket/hdmi/yes
        card 58 card.profiles pci socket speaker/speaker/unknown socket/hdmi/yes
      218 stream ready
      222 sink changed 60
      222 card changed 58
      222 stream changed
      244 world socket stream 66 on 60
      246 world socket stream 66 on 60
      372 card changed 58
      372 sink changed 60
      372 sink removed 60
      380 server changed
      380 card changed 58
      380 stream changed
      380 sink new 85
      380 server changed
      382 sink changed 85
      382 card changed 58
      382 moved 85
      385 world built-in stream 66 on 85
        sink 85 built-in of 58 *speaker/speaker/unknown
        card 58 card.profiles pci speaker speaker/speaker/unknown socket/hdmi/no
      386 world built-in stream 66 on 85
      471 sink changed 85
      473 world built-in stream 66 on 85
      """),
  ]
}
