// SPDX-License-Identifier: MIT
//
// What the system's libraries allow at best, without a player around them: the limit that ours is measured beside.
//
// BareClient play [stay]                           plays a sine until it is ended; corks when it is moved, or does not
// BareClient echo NAME                             owns a name on the bus and answers Ping
// BareClient ask NAME PATH INTERFACE MEMBER N [TEXT…]  calls N times: when the last began, the median, and 99 of 100, in ns
// BareClient pipe NAME PATH INTERFACE MEMBER N [TEXT…] the same with 64 calls under way: the time of all, in ns
// BareClient await NAME                            says when a name got its owner, in ns
// BareClient say SOCKET LINE                       a line to a socket: when it was sent, in ns
// BareClient drum NAME                             owns a name on the bus and plays a sound from memory at each call
// BareClient strike NAME PATH INTERFACE MEMBER PAD calls with a number: when the call began, in ns
// BareClient terminal …                            a program in a terminal, and how long it takes: terminal.c

#include "terminal.h"

#include <dbus/dbus.h>
#include <math.h>
#include <pulse/pulseaudio.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { rate = 44100, channels = 2, period = 100 };

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static float wave[period * channels];
static size_t played;

static void fill(pa_stream *stream, size_t room, void *unused) {
  (void)unused;
  while (room >= sizeof(float) * channels) {
    void *memory;
    size_t size = room;
    if (pa_stream_begin_write(stream, &memory, &size) < 0) return;
    size_t samples = (size < room ? size : room) / (sizeof(float) * channels) * channels;
    float *out = memory;
    for (size_t i = 0; i < samples; i++) out[i] = wave[played++ % (period * channels)];
    pa_stream_write(stream, memory, samples * sizeof(float), NULL, 0, PA_SEEK_RELATIVE);
    room -= samples * sizeof(float);
  }
}

static bool stays;

static void moved(pa_stream *stream, void *unused) {
  (void)unused;
  if (stays) return;
  pa_operation_unref(pa_stream_cork(stream, 1, NULL, NULL));
}

// The same buffer as the player's.
static void connected(pa_context *context, void *unused) {
  (void)unused;
  pa_context_state_t state = pa_context_get_state(context);
  if (!PA_CONTEXT_IS_GOOD(state)) fail("no sound server", pa_strerror(pa_context_errno(context)));
  if (state != PA_CONTEXT_READY) return;
  pa_sample_spec spec = {.format = PA_SAMPLE_FLOAT32NE, .rate = rate, .channels = channels};
  size_t frame = sizeof(float) * channels;
  pa_buffer_attr buffer = {-1, 2 * rate * frame, frame, -1, -1};
  pa_stream *stream = pa_stream_new(context, "bare", &spec, NULL);
  pa_stream_set_write_callback(stream, fill, NULL);
  pa_stream_set_moved_callback(stream, moved, NULL);
  if (pa_stream_connect_playback(stream, NULL, &buffer, PA_STREAM_ADJUST_LATENCY, NULL, NULL) < 0)
    fail("no stream", pa_strerror(pa_context_errno(context)));
}

static int play(void) {
  for (int i = 0; i < period * channels; i++)
    wave[i] = (float)(0.5 * cos(2 * M_PI * (i / channels) / period));
  pa_mainloop *loop = pa_mainloop_new();
  pa_context *context = pa_context_new(pa_mainloop_get_api(loop), "bare");
  pa_context_set_state_callback(context, connected, NULL);
  pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL);
  int code = 0;
  pa_mainloop_run(loop, &code);
  return code;
}

static DBusConnection *bus(void) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get(DBUS_BUS_SESSION, &error);
  if (!connection) fail("no bus", error.message);
  return connection;
}

// libdbus itself answers Ping.
static int echo(const char *name) {
  DBusConnection *connection = bus();
  dbus_bus_request_name(connection, name, 0, NULL);
  puts("ready");
  fflush(stdout);
  while (dbus_connection_read_write_dispatch(connection, -1)) {}
  return 0;
}

static int compare(const void *one, const void *other) {
  long long difference = *(const long long *)one - *(const long long *)other;
  return (difference > 0) - (difference < 0);
}

static DBusMessage *call(char **words, int texts) {
  DBusMessage *message = dbus_message_new_method_call(words[0], words[1], words[2], words[3]);
  for (int i = 0; i < texts; i++)
    dbus_message_append_args(message, DBUS_TYPE_STRING, &words[5 + i], DBUS_TYPE_INVALID);
  return message;
}

static int ask(char **words, int texts) {
  DBusConnection *connection = bus();
  int count = atoi(words[4]);
  long long *times = calloc(count, sizeof *times), start = 0;
  for (int i = 0; i < count; i++) {
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *message = call(words, texts);
    start = now();
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(connection, message, 5000, &error);
    times[i] = now() - start;
    if (!reply) fail(words[3], error.message);
    dbus_message_unref(reply);
    dbus_message_unref(message);
  }
  qsort(times, count, sizeof *times, compare);
  printf("%lld %lld %lld\n", start, times[count / 2], times[count * 99 / 100]);
  return 0;
}

static int pipeline(char **words, int texts) {
  DBusConnection *connection = bus();
  int count = atoi(words[4]), sent = 0, answered = 0;
  long long start = now();
  while (answered < count) {
    for (; sent < count && sent - answered < 64; sent++) {
      DBusMessage *message = call(words, texts);
      dbus_connection_send(connection, message, NULL);
      dbus_message_unref(message);
    }
    if (!dbus_connection_read_write(connection, 5000)) fail(words[3], "the bus hung up");
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(connection))) {
      int type = dbus_message_get_type(message);
      if (type == DBUS_MESSAGE_TYPE_ERROR) fail(words[3], dbus_message_get_error_name(message));
      if (type == DBUS_MESSAGE_TYPE_METHOD_RETURN) answered++;
      dbus_message_unref(message);
    }
  }
  printf("%lld\n", now() - start);
  return 0;
}

static int await(const char *name) {
  DBusConnection *connection = bus();
  char rule[512];
  snprintf(rule, sizeof rule, "type='signal',member='NameOwnerChanged',arg0='%s'", name);
  dbus_bus_add_match(connection, rule, NULL);
  dbus_connection_flush(connection);
  dbus_bus_name_has_owner(connection, name, NULL);  // the bus has taken the rule once it has answered this
  puts("ready");
  fflush(stdout);
  while (dbus_connection_read_write(connection, -1)) {
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(connection))) {
      if (dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged")) {
        printf("%lld\n", now());
        return 0;
      }
      dbus_message_unref(message);
    }
  }
  return 1;
}

static int say(const char *path, const char *line) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail(path, "nobody listens");
  char answer[4096];
  long long start = now();
  if (dprintf(descriptor, "%s\n", line) < 0) fail(path, "hung up");
  if (read(descriptor, answer, sizeof answer) < 0) fail(path, "no answer");
  printf("%lld\n", start);
  return 0;
}

// A drum with one sound in memory, on a stream as the player's pads have it: uncorked and empty, so that the first frame starts it.

enum { beat = rate / 20, buffered = rate * 15 / 1000 };

static pa_stream *drum;
static float hit[beat * channels];
static size_t next = beat;

static void drum_fill(pa_stream *stream, size_t room, void *unused) {
  (void)unused;
  size_t frame = sizeof(float) * channels, left = beat - next;
  size_t count = room / frame < left ? room / frame : left;
  if (count == 0) return;
  pa_stream_write(stream, hit + next * channels, count * frame, NULL, 0, PA_SEEK_RELATIVE);
  next += count;
}

static void drum_ready(pa_stream *stream, void *unused) {
  (void)unused;
  if (pa_stream_get_state(stream) != PA_STREAM_READY) return;
  puts("ready");
  fflush(stdout);
}

static void drum_connected(pa_context *context, void *unused) {
  (void)unused;
  if (pa_context_get_state(context) != PA_CONTEXT_READY) return;
  pa_sample_spec spec = {.format = PA_SAMPLE_FLOAT32NE, .rate = rate, .channels = channels};
  size_t frame = sizeof(float) * channels;
  pa_buffer_attr buffer = {-1, buffered * frame, frame, -1, -1};
  drum = pa_stream_new(context, "drum", &spec, NULL);
  pa_stream_set_write_callback(drum, drum_fill, NULL);
  pa_stream_set_state_callback(drum, drum_ready, NULL);
  if (pa_stream_connect_playback(drum, NULL, &buffer, PA_STREAM_ADJUST_LATENCY, NULL, NULL) < 0)
    fail("no stream", pa_strerror(pa_context_errno(context)));
}

static void drum_called(pa_mainloop_api *api, pa_io_event *event, int descriptor, pa_io_event_flags_t flags, void *connection) {
  (void)api, (void)event, (void)descriptor, (void)flags;
  dbus_connection_read_write(connection, 0);
  DBusMessage *message;
  while ((message = dbus_connection_pop_message(connection))) {
    if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL) {
      next = 0;
      drum_fill(drum, pa_stream_writable_size(drum), NULL);
      DBusMessage *reply = dbus_message_new_method_return(message);
      dbus_connection_send(connection, reply, NULL);
      dbus_connection_flush(connection);
      dbus_message_unref(reply);
    }
    dbus_message_unref(message);
  }
}

static int play_drum(const char *name) {
  for (int i = 0; i < beat * channels; i++) hit[i] = 0.5f;
  DBusConnection *connection = bus();
  dbus_bus_request_name(connection, name, 0, NULL);
  pa_mainloop *loop = pa_mainloop_new();
  pa_mainloop_api *api = pa_mainloop_get_api(loop);
  int descriptor;
  dbus_connection_get_unix_fd(connection, &descriptor);
  api->io_new(api, descriptor, PA_IO_EVENT_INPUT, drum_called, connection);
  pa_context *context = pa_context_new(api, "drum");
  pa_context_set_state_callback(context, drum_connected, NULL);
  pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL);
  int code = 0;
  pa_mainloop_run(loop, &code);
  return code;
}

static int strike(char **words) {
  DBusConnection *connection = bus();
  DBusError error = DBUS_ERROR_INIT;
  dbus_uint32_t pad = atoi(words[4]);
  DBusMessage *message = dbus_message_new_method_call(words[0], words[1], words[2], words[3]);
  dbus_message_append_args(message, DBUS_TYPE_UINT32, &pad, DBUS_TYPE_INVALID);
  long long start = now();
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(connection, message, 5000, &error);
  if (!reply) fail(words[3], error.message);
  printf("%lld\n", start);
  return 0;
}

int main(int count, char **words) {
  const char *mode = count > 1 ? words[1] : "";
  if (!strcmp(mode, "play")) {
    stays = count > 2 && !strcmp(words[2], "stay");
    return play();
  }
  if (!strcmp(mode, "echo") && count == 3) return echo(words[2]);
  if (!strcmp(mode, "ask") && count >= 7) return ask(words + 2, count - 7);
  if (!strcmp(mode, "pipe") && count >= 7) return pipeline(words + 2, count - 7);
  if (!strcmp(mode, "await") && count == 3) return await(words[2]);
  if (!strcmp(mode, "say") && count == 4) return say(words[2], words[3]);
  if (!strcmp(mode, "drum") && count == 3) return play_drum(words[2]);
  if (!strcmp(mode, "strike") && count == 7) return strike(words + 2);
  if (!strcmp(mode, "terminal") && count >= 6) return terminal(words + 2);
  fail("usage", "BareClient play | echo | ask | pipe | await | say | drum | strike | terminal");
}
