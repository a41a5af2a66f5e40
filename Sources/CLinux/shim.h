// SPDX-License-Identifier: MIT
#pragma once
// Headers that Swift's Glibc module leaves out.
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>
