// SPDX-License-Identifier: MIT
import AudioModel
import PlaybackLogic

extension RecordedTrace {
  static let pulseAudioMoves = [
    RecordedTrace(
      "headphones in, through a profile", on: .pulseAudio,
      reasons: [.newDeviceAvailable],
      """
      0 server found
      1 world built-in
        sink 1 built-in of 0 *speaker/speaker/unknown
        card 0 card.profiles pci speaker speaker/speaker/unknown socket/headphones/no
      623 stream ready
      625 stream changed
      625 sink changed 1
      628 world built-in stream 1 on 1
      629 world built-in stream 1 on 1
      3871 moved 3
      3873 card changed 0
      3873 server changed
      3874 sink removed 1
      3874 sink changed 3
      3874 sink new 3
      3874 stream changed
      3874 sink removed 2
      3875 stream changed
      3875 sink changed 3
      3883 world socket stream 1 on 3
        sink 3 socket of 0 *socket/headphones/yes
        card 0 card.profiles pci socket speaker/speaker/unknown socket/headphones/yes
      3884 world socket stream 1 on 3
      3885 stream changed
      3885 sink changed 3
      3889 world socket stream 1 on 3
      """),
    RecordedTrace(
      "a Bluetooth headset turns to calls, and back to music", on: .pulseAudio,
      reasons: [.categoryChange, .categoryChange],
      """
      0 server found
      2 world bluetooth.a2dp
        sink 1 speakers of -
        sink 2 bluetooth.a2dp of 0 *headset-output/headset/yes
        card 0 card.bluetooth bluetooth a2dp headset-output/headset/yes
      160 stream ready
      160 stream changed
      161 sink changed 2
      162 world bluetooth.a2dp stream 1 on 2
      163 world bluetooth.a2dp stream 1 on 2
      873 moved 1
      873 moved 3
      873 server changed
      873 sink changed 1
      873 stream changed
      873 sink removed 2
      873 sink changed 3
      873 sink new 3
      873 card changed 0
      874 stream changed
      874 sink changed 3
      875 world bluetooth.hfp stream 1 on 3
        sink 1 speakers of -
        sink 3 bluetooth.hfp of 0 *headset-output/headset/yes
        card 0 card.bluetooth bluetooth hfp headset-output/headset/yes
      876 world bluetooth.hfp stream 1 on 3
      876 stream changed
      876 sink changed 3
      878 world bluetooth.hfp stream 1 on 3
      1859 moved 1
      1859 moved 4
      1859 server changed
      1859 sink changed 1
      1860 stream changed
      1860 sink removed 3
      1860 sink changed 4
      1860 sink new 4
      1860 card changed 0
      1861 stream changed
      1861 sink changed 4
      1863 world bluetooth.a2dp stream 1 on 4
        sink 1 speakers of -
        sink 4 bluetooth.a2dp of 0 *headset-output/headset/yes
        card 0 card.bluetooth bluetooth a2dp headset-output/headset/yes
      1864 world bluetooth.a2dp stream 1 on 4
      1865 stream changed
      1865 sink changed 4
      1867 world bluetooth.a2dp stream 1 on 4
      """),
    RecordedTrace(
      "a Bluetooth headset's profile is switched off", on: .pulseAudio,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      3 world bluetooth.a2dp
        sink 0 speakers of -
        sink 1 bluetooth.a2dp of 0 *headset-output/headset/yes
        card 0 card.bluetooth bluetooth a2dp headset-output/headset/yes
      173 stream ready
      175 stream changed
      175 sink changed 1
      176 world bluetooth.a2dp stream 1 on 1
      177 world bluetooth.a2dp stream 1 on 1
      901 moved 0
      901 server changed
      901 sink changed 0
      901 stream changed
      901 sink removed 1
      901 card changed 0
      901 stream changed
      901 sink changed 0
      903 world speakers stream 1 on 0
        sink 0 speakers of -
        card 0 card.bluetooth bluetooth off headset-output/headset/yes
      903 world speakers stream 1 on 0
      """),
    RecordedTrace(
      "the server leaves a sink whose socket is empty", on: .pulseAudio,
      reasons: [.oldDeviceUnavailable],
      """
      0 server found
      5 world laptop
        sink 0 speakers of -
        sink 1 laptop of 0 speaker/speaker/unknown *headphones/headphones/yes
        card 0 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/yes
      194 stream ready
      194 stream changed
      194 sink changed 1
      196 world laptop stream 1 on 1
      197 world laptop stream 1 on 1
      861 moved 0
      861 card changed 0
      861 sink changed 1
      861 server changed
      861 sink changed 0
      861 stream changed
      862 stream changed
      862 sink changed 0
      863 world speakers stream 1 on 0
        sink 0 speakers of -
        sink 1 laptop of 0 speaker/speaker/unknown *headphones/headphones/no
        card 0 card.laptop pci stereo speaker/speaker/unknown headphones/headphones/no
      863 world speakers stream 1 on 0
      """),
    RecordedTrace(
      "plugged in, and the server turns to it", on: .pulseAudio,
      reasons: [.newDeviceAvailable],
      """
      0 server found
      5 world speakers
        sink 1 speakers of -
      245 stream ready
      246 stream changed
      246 sink changed 1
      249 world speakers stream 1 on 1
      251 world speakers stream 1 on 1
      499 moved 2
      499 card new 0
      499 sink changed 2
      499 server changed
      499 sink new 2
      499 sink changed 1
      499 stream changed
      502 stream changed
      502 sink changed 2
      504 world headset stream 1 on 2
        sink 1 speakers of -
        sink 2 headset of 0 *headset-output/headset/unknown
        card 0 card.usb usb stereo headset-output/headset/unknown
      505 world headset stream 1 on 2
      506 stream changed
      506 sink changed 2
      508 world headset stream 1 on 2
      """),
    RecordedTrace(
      "the user changed the default", on: .pulseAudio,
      reasons: [.override],
      """
      0 server found
      10 world speakers
        sink 0 speakers of -
        sink 1 others of -
      342 stream ready
      342 stream changed
      342 sink changed 0
      349 world speakers stream 2 on 0
      354 world speakers stream 2 on 0
      370 moved 1
      371 server changed
      371 sink changed 0
      371 sink changed 1
      371 stream changed
      371 stream changed
      371 sink changed 1
      372 world others stream 2 on 1
      373 world others stream 2 on 1
      373 stream changed
      373 sink changed 1
      374 world others stream 2 on 1
      """),
    RecordedTrace(
      "the user moved the music", on: .pulseAudio,
      reasons: [.override],
      """
      0 server found
      10 world speakers
        sink 0 speakers of -
        sink 1 others of -
      201 stream ready
      201 stream changed
      201 sink changed 0
      203 world speakers stream 2 on 0
      205 world speakers stream 2 on 0
      221 moved 1
      221 sink changed 0
      221 stream changed
      221 sink changed 1
      222 stream changed
      222 sink changed 1
      223 world speakers stream 2 on 1
      224 world speakers stream 2 on 1
      224 stream changed
      224 sink changed 1
      225 world speakers stream 2 on 1
      """),
    RecordedTrace(
      "nothing is left, and the headset returns", on: .pulseAudio,
      reasons: [.oldDeviceUnavailable, .noSuitableRouteForCategory, .newDeviceAvailable],
      """
      0 server found
      1 world headset
        sink 1 headset of 0 *headset-output/headset/unknown
        card 0 card.usb usb stereo headset-output/headset/unknown
      158 stream ready
      159 stream changed
      159 sink changed 1
      161 world headset stream 1 on 1
      162 world headset stream 1 on 1
      904 moved 2
      905 sink changed 2
      905 sink new 2
      905 server changed
      905 stream changed
      905 sink removed 1
      905 card removed 0
      905 stream changed
      905 sink changed 2
      907 world auto_null stream 1 on 2
        sink 2 auto_null of -
      907 world auto_null stream 1 on 2
      1072 moved 3
      1073 card new 1
      1073 sink changed 3
      1073 server changed
      1073 sink new 3
      1073 stream changed
      1073 sink removed 2
      1074 world headset stream 1 on 3
        sink 3 headset of 1 *headset-output/headset/unknown
        card 1 card.usb usb stereo headset-output/headset/unknown
      1074 world headset stream 1 on 3
      1138 sink changed 3
      1139 world headset stream 1 on 3
      3069 sink changed 3
      3070 world headset stream 1 on 3
      """),
  ]
}
