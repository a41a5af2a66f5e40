// SPDX-License-Identifier: MIT
//
// A terminal that shows nothing, and tells how long a program in it takes.
//
// BareClient terminal COLUMNS ROWS TEXT PROGRAM [WORD…]
//
// Writes a line as soon as the program has shown the text: its process, and the ns from its start to its first byte and to the
// text. Then answers lines:
//
//     type HEX   types bytes: the ns to the first byte that comes back and to the last one before 40 ms of silence, and how many came
//     tap HEX    the same with 2 ms of silence, for many keys one after the other
//     feed HEX   types bytes and waits for nothing: 0
//     count      the bytes that came since this was asked last
//
// -1 stands for what did not come within five seconds.

#define _GNU_SOURCE
#include "terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { patience = 5000, silence = 40, moment = 2 };

static int master;
static long long counted;
static char seen[1 << 20];
static size_t kept;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// The one question that every terminal answers, and that programs end theirs with.
static void answer(const char *bytes, size_t count) {
  static const char question[] = "\033[c", self[] = "\033[?64;22c";
  if (memmem(bytes, count, question, sizeof question - 1) && write(master, self, sizeof self - 1) < 0) exit(1);
}

// Takes what the program has written, waiting at most so many ms. Answers how much; 0 where nothing came, -1 once it has ended.
static ssize_t take(int wait) {
  static char bytes[65536];
  struct pollfd request = {.fd = master, .events = POLLIN};
  if (poll(&request, 1, wait) <= 0) return 0;
  ssize_t count = read(master, bytes, sizeof bytes);
  if (count <= 0) return -1;
  counted += count;
  size_t room = sizeof seen - kept, part = (size_t)count < room ? (size_t)count : room;
  memcpy(seen + kept, bytes, part);
  kept += part;
  answer(bytes, count);
  return count;
}

static void type(const char *hex) {
  for (unsigned byte; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
    char one = (char)byte;
    if (write(master, &one, 1) < 0) exit(1);
  }
}

static void type_and_wait(const char *hex, int quiet) {
  // What is still under way belongs to something else.
  while (take(quiet) > 0) {}
  long long start = now(), first = -1, last = -1, bytes = 0;
  type(hex);
  for (ssize_t count; (count = take(first < 0 ? patience : quiet)) > 0; bytes += count) {
    last = now() - start;
    if (first < 0) first = last;
  }
  printf("%lld %lld %lld\n", first, last, bytes);
}

// Waits for the program's first byte and for the text, and says when they came.
static void begin(const char *text, pid_t process, long long start) {
  long long first = -1, shown = -1;
  while (shown < 0 && take(patience) > 0) {
    long long time = now() - start;
    if (first < 0) first = time;
    if (memmem(seen, kept, text, strlen(text))) shown = time;
  }
  printf("%d %lld %lld\n", process, first, shown);
}

int terminal(char **words) {
  struct winsize size = {.ws_col = (unsigned short)atoi(words[0]), .ws_row = (unsigned short)atoi(words[1])};
  setvbuf(stdout, NULL, _IOLBF, 0);
  long long start = now();
  pid_t process = forkpty(&master, NULL, NULL, &size);
  if (process < 0) return 1;
  if (process == 0) {
    execvp(words[3], words + 3);
    _exit(127);
  }
  begin(words[2], process, start);
  char line[4096];
  size_t filled = 0;
  for (;;) {
    struct pollfd both[] = {{.fd = 0, .events = POLLIN}, {.fd = master, .events = POLLIN}};
    poll(both, 2, -1);
    if (both[1].revents && take(0) < 0) return 0;
    if (!both[0].revents) continue;
    ssize_t count = read(0, line + filled, sizeof line - 1 - filled);
    if (count <= 0) return 0;
    filled += count;
    line[filled] = 0;
    if (!strchr(line, '\n')) continue;
    filled = 0;
    if (!strncmp(line, "type ", 5)) type_and_wait(line + 5, silence);
    else if (!strncmp(line, "tap ", 4)) type_and_wait(line + 4, moment);
    else if (!strncmp(line, "feed ", 5)) type(line + 5), puts("0");
    else printf("%lld\n", counted), counted = 0;
  }
}
