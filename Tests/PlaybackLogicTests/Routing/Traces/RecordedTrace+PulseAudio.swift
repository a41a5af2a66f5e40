// SPDX-License-Identifier: MIT
import AudioModel
import PlaybackLogic

extension RecordedTrace {
  static let pulseAudioSockets = [
    RecordedTrace(
      "plugged in", on: .pulseAudio,
      reasons: [.newDeviceAvailable],
      """
      0 server found
      1 world laptop
        sink 1 laptop of 0 *speaker/speaker/unknown headphones/headphones/no
        card 0 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/no
      7427 stream ready
      7428 stream changed
      7428 sink changed 1
      7434 world laptop stream 1 on 1
      7436 world laptop stream 1 on 1
      8412 card changed 0
      8412 sink changed 1
      8412 world laptop stream 1 on 1
        sink 1 laptop of 0 speaker/speaker/no *headphones/headphones/yes
        card 0 card.laptop pci stereo speaker/speaker/no headphones/headphones/yes
      8413 world laptop stream 1 on 1
      """),
    RecordedTrace(
      "jack out, and the server turns to the speaker", on: .pulseAudio,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      1 world laptop
        sink 1 laptop of 0 speaker/speaker/no *headphones/headphones/yes
        card 0 card.laptop pci stereo speaker/speaker/no headphones/headphones/yes
      248 stream ready
      248 stream changed
      248 sink changed 1
      252 world laptop stream 1 on 1
      256 world laptop stream 1 on 1
      895 card changed 0
      895 sink changed 1
      896 world laptop stream 1 on 1
        sink 1 laptop of 0 *speaker/speaker/unknown headphones/headphones/no
        card 0 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/no
      896 stream changed
      896 sink changed 1
      897 world laptop stream 1 on 1
      897 world laptop stream 1 on 1
      """),
    RecordedTrace(
      "the user chose a port", on: .pulseAudio,
      reasons: [.override],
      """
      0 server found
      4 world laptop
        sink 1 laptop of 0 speaker/speaker/unknown *headphones/headphones/yes
        card 0 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/yes
      191 stream ready
      191 stream changed
      191 sink changed 1
      195 world laptop stream 1 on 1
      196 world laptop stream 1 on 1
      844 sink changed 1
      845 world laptop stream 1 on 1
        sink 1 laptop of 0 *speaker/speaker/unknown headphones/headphones/yes
        card 0 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/yes
      """),
    RecordedTrace(
      "a speaker muted by another jack", on: .pulseAudio,
      reasons: [.routeConfigurationChange],
      """
      0 server found
      5 world built-in
        sink 1 built-in of 0 *front/speaker/unknown rear/speaker/unknown
        card 0 card.speakers pci both front/speaker/unknown rear/speaker/unknown
      160 stream ready
      160 stream changed
      160 sink changed 1
      161 world built-in stream 1 on 1
      162 world built-in stream 1 on 1
      819 card changed 0
      819 sink changed 1
      820 world built-in stream 1 on 1
        sink 1 built-in of 0 front/speaker/no *rear/speaker/unknown
        card 0 card.speakers pci both front/speaker/no rear/speaker/unknown
      821 world built-in stream 1 on 1
      """),
    RecordedTrace(
      "another device comes and goes", on: .pulseAudio,
      reasons: [],
      """
      0 server found
      1 world speakers
        sink 0 speakers of -
      155 stream ready
      155 stream changed
      155 sink changed 0
      157 world speakers stream 1 on 0
      159 world speakers stream 1 on 0
      223 card new 0
      223 sink changed 1
      223 server changed
      223 sink new 1
      224 world speakers stream 1 on 0
        sink 0 speakers of -
        sink 1 headset of 0 *headset-output/headset/unknown
        card 0 card.usb usb stereo headset-output/headset/unknown
      225 world speakers stream 1 on 0
      226 server changed
      226 sink removed 1
      226 card removed 0
      226 world speakers stream 1 on 0
        sink 0 speakers of -
      227 world speakers stream 1 on 0
      """),
    RecordedTrace(
      "a USB headset is pulled out", on: .pulseAudio,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      7 world headset
        sink 0 speakers of -
        sink 1 headset of 0 *headset-output/headset/unknown
        card 0 card.usb usb stereo headset-output/headset/unknown
      168 stream ready
      168 stream changed
      168 sink changed 1
      169 world headset stream 1 on 1
      170 world headset stream 1 on 1
      916 moved 0
      916 server changed
      916 sink changed 0
      917 stream changed
      917 sink removed 1
      917 card removed 0
      917 world speakers stream 1 on 0
        sink 0 speakers of -
      917 stream changed
      917 sink changed 0
      918 world speakers stream 1 on 0
      918 world speakers stream 1 on 0
      """),
    RecordedTrace(
      "HDMI unplugged, through a profile", on: .pulseAudio,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      12 world socket
        sink 1 socket of 0 *socket/hdmi/yes
        card 0 card.profiles pci socket speaker/speaker/unknown socket/hdmi/yes
      206 stream ready
      206 stream changed
      206 sink changed 1
      208 world socket stream 1 on 1
      209 world socket stream 1 on 1
      850 moved 3
      851 card changed 0
      851 server changed
      851 sink removed 1
      851 sink changed 3
      851 sink new 3
      851 stream changed
      851 sink removed 2
      851 stream changed
      852 sink changed 3
      855 world built-in stream 1 on 3
        sink 3 built-in of 0 *speaker/speaker/unknown
        card 0 card.profiles pci speaker speaker/speaker/unknown socket/hdmi/no
      856 world built-in stream 1 on 3
      914 sink changed 3
      915 world built-in stream 1 on 3
      1832 sink changed 3
      1836 world built-in stream 1 on 3
      """),
  ]
}
