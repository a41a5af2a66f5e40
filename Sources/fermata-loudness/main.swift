// SPDX-License-Identifier: MIT
import FermataLoudness

LoudnessLoop.runProcess()
