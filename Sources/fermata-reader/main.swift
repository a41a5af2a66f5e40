// SPDX-License-Identifier: MIT
import FermataReader

ReaderLoop.runProcess()
