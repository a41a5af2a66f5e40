// SPDX-License-Identifier: MIT
import Glibc

/// The sine, here so that no other file needs the C library for it.
func sine(_ angle: Double) -> Double { sin(angle) }
