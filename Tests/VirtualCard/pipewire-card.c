// SPDX-License-Identifier: MIT
//
// A sound card without hardware, as a client of PipeWire.
//
// It exports a device with the same parameters as an ALSA card's (profiles, and routes, which are ports) and
// makes one null sink for the active profile, tied to the device. pipewire-pulse then shows a card and a sink
// with ports. Only the jack is ours: the session manager chooses profiles and routes as it does for any card.
//
//   pipewire-card --name NAME --properties "K=V K=V" --ports "NAME/TYPE/AVAILABILITY/PRIORITY ..."
//                 --profiles "NAME/PRIORITY/SINK/PORT,PORT ..."      SINK "-" for none; "off" is always there
//
// Lines on standard input, each answered by one on standard output, "ok" or "error REASON":
//   available PORT yes|no|unknown [PORT ...]     one event of the jack
// The first line out is "ready", once the session manager has set the card up. The card goes when standard input ends.
//
// Build: cc pipewire-card.c $(pkg-config --cflags --libs libpipewire-0.3)

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pipewire/pipewire.h>
#include <spa/monitor/device.h>
#include <spa/monitor/utils.h>
#include <spa/param/audio/raw.h>
#include <spa/param/param.h>
#include <spa/param/profile.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/builder.h>
#include <spa/pod/iter.h>
#include <spa/pod/parser.h>
#include <spa/utils/result.h>

#define MOST 16  // ports, and profiles

struct port {
  char name[128];
  char type[32];
  uint32_t available;
  uint32_t priority;
  uint32_t profiles[MOST];  // the profiles that have it
  uint32_t profile_count;
};

struct profile {
  char name[128];
  char sink[128];  // empty: no sink
  uint32_t priority;
  uint32_t ports[MOST];
  uint32_t port_count;
};

enum { ENUM_PROFILE, PROFILE, ENUM_ROUTE, ROUTE, PARAM_COUNT };

// The program is one card, so there is one of it; everything runs on the main loop.
static struct {
  struct pw_main_loop *loop;
  struct pw_core *core;
  struct spa_hook core_listener;

  struct spa_device device;
  struct spa_hook_list device_hooks;
  struct spa_device_info info;
  struct spa_param_info params[PARAM_COUNT];
  struct pw_properties *properties;
  struct pw_proxy *exported;
  struct spa_hook exported_listener;
  uint32_t device_id;

  struct pw_proxy *node;  // the active profile's sink
  struct spa_hook node_listener;

  struct port ports[MOST];
  uint32_t port_count;
  struct profile profiles[MOST];
  uint32_t profile_count;
  uint32_t active_profile;
  uint32_t active_route;  // a port, or SPA_ID_INVALID
  bool route_is_saved;    // chosen by hand: the session manager then remembers it
  float volumes[2];
  bool is_muted;

  bool has_sink;  // the active profile's, if it has one
  struct spa_source *settled;  // a timer: nobody has set anything for a while
  bool is_settled;
  bool is_ready;
  char line[1024];  // what came in since the last newline
  size_t line_length;
} card;

static void say(const char *text) {
  puts(text);
  fflush(stdout);
}

static uint32_t parse_availability(const char *text) {
  if (strcmp(text, "yes") == 0)
    return SPA_PARAM_AVAILABILITY_yes;
  return strcmp(text, "no") == 0 ? SPA_PARAM_AVAILABILITY_no : SPA_PARAM_AVAILABILITY_unknown;
}

static uint32_t find_port(const char *name) {
  for (uint32_t i = 0; i < card.port_count; i++)
    if (strcmp(card.ports[i].name, name) == 0)
      return i;
  return SPA_ID_INVALID;
}

// A profile without ports can always be chosen; another is as available as the best of its ports.
static uint32_t availability_of(const struct profile *profile) {
  uint32_t best = profile->port_count == 0 ? SPA_PARAM_AVAILABILITY_yes : SPA_PARAM_AVAILABILITY_no;
  for (uint32_t i = 0; i < profile->port_count; i++) {
    uint32_t available = card.ports[profile->ports[i]].available;
    if (available == SPA_PARAM_AVAILABILITY_yes)
      return available;
    if (available == SPA_PARAM_AVAILABILITY_unknown)
      best = available;
  }
  return best;
}

// What the device says of itself.

// One device number a profile: the sink of profile n is card.profile.device n.
static struct spa_pod *build_profile(struct spa_pod_builder *b, uint32_t id, uint32_t index) {
  const struct profile *profile = &card.profiles[index];
  struct spa_pod_frame object, classes;
  int32_t device = (int32_t)index;
  spa_pod_builder_push_object(b, &object, SPA_TYPE_OBJECT_ParamProfile, id);
  spa_pod_builder_add(b, SPA_PARAM_PROFILE_index, SPA_POD_Int(index), SPA_PARAM_PROFILE_name,
                      SPA_POD_String(profile->name), SPA_PARAM_PROFILE_description, SPA_POD_String(profile->name),
                      SPA_PARAM_PROFILE_priority, SPA_POD_Int(profile->priority), SPA_PARAM_PROFILE_available,
                      SPA_POD_Id(availability_of(profile)), 0);
  spa_pod_builder_prop(b, SPA_PARAM_PROFILE_classes, 0);
  spa_pod_builder_push_struct(b, &classes);
  spa_pod_builder_int(b, profile->sink[0] ? 1 : 0);
  if (profile->sink[0])
    spa_pod_builder_add_struct(b, SPA_POD_String("Audio/Sink"), SPA_POD_Int(1), SPA_POD_String("card.profile.devices"),
                               SPA_POD_Array(sizeof device, SPA_TYPE_Int, 1, &device));
  spa_pod_builder_pop(b, &classes);
  return spa_pod_builder_pop(b, &object);
}

static void build_route_info(struct spa_pod_builder *b, const struct port *port) {
  struct spa_pod_frame info;
  spa_pod_builder_prop(b, SPA_PARAM_ROUTE_info, 0);
  spa_pod_builder_push_struct(b, &info);
  spa_pod_builder_int(b, 1);
  spa_pod_builder_string(b, "port.type");
  spa_pod_builder_string(b, port->type);
  spa_pod_builder_pop(b, &info);
}

// An active route must carry its volume: pipewire-pulse 0.3.65 reads an uninitialised pointer otherwise.
static void build_route_state(struct spa_pod_builder *b, uint32_t id) {
  struct spa_pod_frame props;
  uint32_t map[2] = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR};
  spa_pod_builder_add(b, SPA_PARAM_ROUTE_device, SPA_POD_Int(card.active_profile), SPA_PARAM_ROUTE_profile,
                      SPA_POD_Int(card.active_profile), SPA_PARAM_ROUTE_save, SPA_POD_Bool(card.route_is_saved), 0);
  spa_pod_builder_prop(b, SPA_PARAM_ROUTE_props, 0);
  spa_pod_builder_push_object(b, &props, SPA_TYPE_OBJECT_Props, id);
  spa_pod_builder_add(b, SPA_PROP_mute, SPA_POD_Bool(card.is_muted), SPA_PROP_channelVolumes,
                      SPA_POD_Array(sizeof(float), SPA_TYPE_Float, 2, card.volumes), SPA_PROP_channelMap,
                      SPA_POD_Array(sizeof(uint32_t), SPA_TYPE_Id, 2, map), 0);
  spa_pod_builder_pop(b, &props);
}

static struct spa_pod *build_route(struct spa_pod_builder *b, uint32_t id, uint32_t index, bool is_active) {
  const struct port *port = &card.ports[index];
  struct spa_pod_frame object;
  spa_pod_builder_push_object(b, &object, SPA_TYPE_OBJECT_ParamRoute, id);
  spa_pod_builder_add(b, SPA_PARAM_ROUTE_index, SPA_POD_Int(index), SPA_PARAM_ROUTE_direction,
                      SPA_POD_Id(SPA_DIRECTION_OUTPUT), SPA_PARAM_ROUTE_name, SPA_POD_String(port->name),
                      SPA_PARAM_ROUTE_description, SPA_POD_String(port->name), SPA_PARAM_ROUTE_priority,
                      SPA_POD_Int(port->priority), SPA_PARAM_ROUTE_available, SPA_POD_Id(port->available), 0);
  build_route_info(b, port);
  spa_pod_builder_add(b, SPA_PARAM_ROUTE_profiles,
                      SPA_POD_Array(sizeof(uint32_t), SPA_TYPE_Int, port->profile_count, port->profiles), 0);
  if (is_active)
    build_route_state(b, id);
  spa_pod_builder_add(b, SPA_PARAM_ROUTE_devices,
                      SPA_POD_Array(sizeof(uint32_t), SPA_TYPE_Int, port->profile_count, port->profiles), 0);
  return spa_pod_builder_pop(b, &object);
}

// The parameter `id` at `index`, or NULL after the last.
static struct spa_pod *build_param(struct spa_pod_builder *b, uint32_t id, uint32_t index) {
  bool has_route = card.active_route != SPA_ID_INVALID && card.profiles[card.active_profile].sink[0];
  switch (id) {
    case SPA_PARAM_EnumProfile:
      return index < card.profile_count ? build_profile(b, id, index) : NULL;
    case SPA_PARAM_Profile:
      return index == 0 ? build_profile(b, id, card.active_profile) : NULL;
    case SPA_PARAM_EnumRoute:
      return index < card.port_count ? build_route(b, id, index, false) : NULL;
    case SPA_PARAM_Route:
      return index == 0 && has_route ? build_route(b, id, card.active_route, true) : NULL;
    default:
      return NULL;
  }
}

static int enum_params(void *object, int seq, uint32_t id, uint32_t start, uint32_t count,
                       const struct spa_pod *filter) {
  uint8_t buffer[4096];
  struct spa_result_device_params result = {.id = id, .next = start};
  (void)object;
  (void)filter;
  for (uint32_t i = 0; i < count; i++) {
    struct spa_pod_builder b = SPA_POD_BUILDER_INIT(buffer, sizeof buffer);
    result.index = result.next++;
    result.param = build_param(&b, id, result.index);
    if (!result.param)
      break;
    spa_device_emit_result(&card.device_hooks, seq, 0, SPA_RESULT_TYPE_DEVICE_PARAMS, &result);
  }
  return 0;
}

// Tells everyone that these parameters changed; the serial bit makes a change of it.
static void announce(uint32_t changed) {
  for (uint32_t i = 0; i < PARAM_COUNT; i++)
    if (changed & (1u << i))
      card.params[i].flags ^= SPA_PARAM_INFO_SERIAL;
  card.info.change_mask = SPA_DEVICE_CHANGE_MASK_PARAMS;
  spa_device_emit_info(&card.device_hooks, &card.info);
}

static int add_listener(void *object, struct spa_hook *listener, const struct spa_device_events *events,
                        void *data) {
  struct spa_hook_list others;
  (void)object;
  spa_hook_list_isolate(&card.device_hooks, &others, listener, events, data);
  card.info.change_mask =
    SPA_DEVICE_CHANGE_MASK_FLAGS | SPA_DEVICE_CHANGE_MASK_PROPS | SPA_DEVICE_CHANGE_MASK_PARAMS;
  spa_device_emit_info(&card.device_hooks, &card.info);
  spa_hook_list_join(&card.device_hooks, &others);
  return 0;
}

static int sync_device(void *object, int seq) {
  (void)object;
  spa_device_emit_result(&card.device_hooks, seq, 0, 0, NULL);
  return 0;
}

// The sink.

static void tell_when_ready(void) {
  if (card.is_ready || !card.has_sink || !card.is_settled)
    return;
  card.is_ready = true;
  say("ready");
}

// A new card is first set up by the session manager, in several steps and in no certain order; what a test did
// before they are through would be undone. Nothing says that they are, except that no more come.
static void expect_settled(void) {
  struct timespec quiet = {.tv_nsec = 20 * SPA_NSEC_PER_MSEC};
  if (!card.is_settled)
    pw_loop_update_timer(pw_main_loop_get_loop(card.loop), card.settled, &quiet, NULL, false);
}

static void settle(void *data, uint64_t expirations) {
  (void)data;
  (void)expirations;
  card.is_settled = true;
  tell_when_ready();
}

static void node_bound(void *data, uint32_t id) {
  (void)data;
  (void)id;
  card.has_sink = true;
  tell_when_ready();
}

static void remove_node(void) {
  struct pw_proxy *node = card.node;
  card.node = NULL;
  if (node)
    pw_proxy_destroy(node);
}

static void node_removed(void *data) {
  (void)data;
  remove_node();
}

static const struct pw_proxy_events node_events = {
  PW_VERSION_PROXY_EVENTS, .bound = node_bound, .removed = node_removed};

static void make_node(void) {
  const struct profile *profile = &card.profiles[card.active_profile];
  card.has_sink = !profile->sink[0];
  if (card.has_sink) {
    tell_when_ready();
    return;
  }
  struct pw_properties *properties = pw_properties_new(
    "factory.name", "support.null-audio-sink", "node.name", profile->sink, "node.description", profile->sink,
    "media.class", "Audio/Sink", "audio.position", "[ FL FR ]", "priority.driver", "1000", "priority.session",
    "1000", NULL);
  pw_properties_setf(properties, "device.id", "%u", card.device_id);
  pw_properties_setf(properties, "card.profile.device", "%u", card.active_profile);
  card.node = pw_core_create_object(card.core, "adapter", PW_TYPE_INTERFACE_Node, PW_VERSION_NODE,
                                    &properties->dict, 0);
  pw_properties_free(properties);
  pw_proxy_add_listener(card.node, &card.node_listener, &node_events, NULL);
}

// What others set on the device.

static void choose_route(void) {
  const struct profile *profile = &card.profiles[card.active_profile];
  uint32_t best = SPA_ID_INVALID;
  for (uint32_t i = 0; i < profile->port_count; i++) {
    const struct port *port = &card.ports[profile->ports[i]];
    if (best != SPA_ID_INVALID) {
      bool was_out = card.ports[best].available == SPA_PARAM_AVAILABILITY_no;
      bool is_out = port->available == SPA_PARAM_AVAILABILITY_no;
      if (is_out > was_out || (is_out == was_out && port->priority <= card.ports[best].priority))
        continue;
    }
    best = profile->ports[i];
  }
  card.active_route = best;
  card.route_is_saved = false;
}

// EnumProfile stays unannounced here: WirePlumber takes a change of it as the reason to choose the best
// profile anew, and would undo this one.
static int set_profile(const struct spa_pod *param) {
  uint32_t index;
  if (!param || spa_pod_parse_object(param, SPA_TYPE_OBJECT_ParamProfile, NULL, SPA_PARAM_PROFILE_index,
                                     SPA_POD_Int(&index)) < 0 ||
      index >= card.profile_count)
    return -EINVAL;
  if (index == card.active_profile)
    return 0;
  remove_node();
  card.active_profile = index;
  choose_route();
  announce(1u << PROFILE | 1u << ROUTE | 1u << ENUM_ROUTE);
  make_node();
  return 0;
}

static void set_volume(const struct spa_pod *props) {
  const struct spa_pod_prop *mute = spa_pod_find_prop(props, NULL, SPA_PROP_mute);
  const struct spa_pod_prop *volumes = spa_pod_find_prop(props, NULL, SPA_PROP_channelVolumes);
  float values[SPA_AUDIO_MAX_CHANNELS];
  if (mute)
    spa_pod_get_bool(&mute->value, &card.is_muted);
  if (!volumes)
    return;
  uint32_t count = spa_pod_copy_array(&volumes->value, SPA_TYPE_Float, values, SPA_AUDIO_MAX_CHANNELS);
  for (uint32_t i = 0; i < 2 && count > 0; i++)
    card.volumes[i] = values[SPA_MIN(i, count - 1)];
}

static int set_route(const struct spa_pod *param) {
  uint32_t index, device;
  bool save = false;
  if (!param || spa_pod_parse_object(param, SPA_TYPE_OBJECT_ParamRoute, NULL, SPA_PARAM_ROUTE_index,
                                     SPA_POD_Int(&index), SPA_PARAM_ROUTE_device, SPA_POD_Int(&device),
                                     SPA_PARAM_ROUTE_save, SPA_POD_OPT_Bool(&save)) < 0 ||
      index >= card.port_count || device != card.active_profile)
    return -EINVAL;
  const struct spa_pod_prop *props = spa_pod_find_prop(param, NULL, SPA_PARAM_ROUTE_props);
  if (props)
    set_volume(&props->value);
  card.active_route = index;
  card.route_is_saved = save;
  announce(1u << ROUTE);
  return 0;
}

static int set_param(void *object, uint32_t id, uint32_t flags, const struct spa_pod *param) {
  (void)object;
  (void)flags;
  if (id != SPA_PARAM_Profile && id != SPA_PARAM_Route)
    return -ENOENT;
  expect_settled();
  return id == SPA_PARAM_Profile ? set_profile(param) : set_route(param);
}

static const struct spa_device_methods device_methods = {
  SPA_VERSION_DEVICE_METHODS,
  .add_listener = add_listener,
  .sync = sync_device,
  .enum_params = enum_params,
  .set_param = set_param,
};

// The jack.

// Profiles are announced only when one of them changed, for the reason above.
static const char *set_available(char *words) {
  uint32_t before[MOST], changed = 1u << ENUM_ROUTE | 1u << ROUTE;
  char *state = NULL, *name = strtok_r(words, " ", &state);
  for (uint32_t i = 0; i < card.profile_count; i++)
    before[i] = availability_of(&card.profiles[i]);
  for (; name; name = strtok_r(NULL, " ", &state)) {
    uint32_t port = find_port(name);
    const char *value = strtok_r(NULL, " ", &state);
    if (port == SPA_ID_INVALID || !value)
      return "error no such port, or no value";
    card.ports[port].available = parse_availability(value);
  }
  for (uint32_t i = 0; i < card.profile_count; i++)
    if (before[i] != availability_of(&card.profiles[i]))
      changed |= 1u << ENUM_PROFILE;
  announce(changed);
  return "ok";
}

static void handle_line(char *line) {
  static const char command[] = "available ";
  if (strncmp(line, command, sizeof command - 1) == 0)
    say(set_available(line + sizeof command - 1));
  else
    say("error unknown command");
}

static void input_ready(void *data, int fd, uint32_t mask) {
  char *newline;
  (void)data;
  (void)mask;
  ssize_t count = read(fd, card.line + card.line_length, sizeof card.line - 1 - card.line_length);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (count <= 0) {  // the end, or a line too long to be ours
    pw_main_loop_quit(card.loop);
    return;
  }
  card.line_length += (size_t)count;
  while ((newline = memchr(card.line, '\n', card.line_length))) {
    size_t used = (size_t)(newline + 1 - card.line);
    *newline = '\0';
    handle_line(card.line);
    card.line_length -= used;
    memmove(card.line, newline + 1, card.line_length);
  }
}

// The arguments.

static void add_properties(const char *text) {
  char *copy = strdup(text), *state = NULL;
  for (char *word = strtok_r(copy, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
    char *equals = strchr(word, '=');
    if (equals) {
      *equals = '\0';
      pw_properties_set(card.properties, word, equals + 1);
    }
  }
  free(copy);
}

static bool add_port(const char *text) {
  struct port *port = &card.ports[card.port_count];
  char available[16];
  if (card.port_count == MOST ||
      sscanf(text, "%127[^/]/%31[^/]/%15[^/]/%u", port->name, port->type, available, &port->priority) != 4)
    return false;
  port->available = parse_availability(available);
  card.port_count++;
  return true;
}

static bool add_profile(const char *text) {
  struct profile *profile = &card.profiles[card.profile_count];
  char ports[512] = "", *state = NULL;
  if (card.profile_count == MOST ||
      sscanf(text, "%127[^/]/%u/%127[^/]/%511s", profile->name, &profile->priority, profile->sink, ports) < 3)
    return false;
  if (strcmp(profile->sink, "-") == 0)
    profile->sink[0] = '\0';
  for (char *name = strtok_r(ports, ",", &state); name; name = strtok_r(NULL, ",", &state)) {
    uint32_t index = find_port(name);
    if (index == SPA_ID_INVALID || profile->port_count == MOST)
      return false;
    struct port *port = &card.ports[index];
    profile->ports[profile->port_count++] = index;
    port->profiles[port->profile_count++] = card.profile_count;
  }
  card.profile_count++;
  return true;
}

static bool add_each(const char *text, bool (*add)(const char *)) {
  char *copy = strdup(text), *state = NULL;
  bool good = true;
  for (char *word = strtok_r(copy, " ", &state); word && good; word = strtok_r(NULL, " ", &state)) {
    good = add(word);
    if (!good)
      fprintf(stderr, "not understood: %s\n", word);
  }
  free(copy);
  return good;
}

static const char *argument(int count, char **arguments, const char *name) {
  for (int i = 1; i + 1 < count; i += 2)
    if (strcmp(arguments[i], name) == 0)
      return arguments[i + 1];
  return "";
}

static bool read_arguments(int count, char **arguments) {
  const char *name = argument(count, arguments, "--name");
  strcpy(card.profiles[0].name, "off");
  card.profile_count = 1;
  if (!add_each(argument(count, arguments, "--ports"), add_port) ||
      !add_each(argument(count, arguments, "--profiles"), add_profile))
    return false;
  card.properties = pw_properties_new("device.name", name, "device.nick", name, "device.description", name,
                                      "media.class", "Audio/Device", NULL);
  add_properties(argument(count, arguments, "--properties"));
  card.active_profile = card.profile_count > 1 ? 1 : 0;
  card.volumes[0] = card.volumes[1] = 1;
  choose_route();
  return true;
}

// The connection.

static void quit(void *data, int signal_number) {
  (void)data;
  (void)signal_number;
  pw_main_loop_quit(card.loop);
}

static void core_error(void *data, uint32_t id, int seq, int result, const char *message) {
  (void)data;
  (void)seq;
  fprintf(stderr, "object %u: %s (%s)\n", id, message, spa_strerror(result));
  if (id == PW_ID_CORE && result == -EPIPE)
    pw_main_loop_quit(card.loop);
}

static const struct pw_core_events core_events = {PW_VERSION_CORE_EVENTS, .error = core_error};

// The node names the device by its id, which exists from here on.
static void device_bound(void *data, uint32_t id) {
  (void)data;
  card.device_id = id;
  make_node();
}

static const struct pw_proxy_events device_events = {PW_VERSION_PROXY_EVENTS, .bound = device_bound};

static void export_device(void) {
  card.params[ENUM_PROFILE] = SPA_PARAM_INFO(SPA_PARAM_EnumProfile, SPA_PARAM_INFO_READ);
  card.params[PROFILE] = SPA_PARAM_INFO(SPA_PARAM_Profile, SPA_PARAM_INFO_READWRITE);
  card.params[ENUM_ROUTE] = SPA_PARAM_INFO(SPA_PARAM_EnumRoute, SPA_PARAM_INFO_READ);
  card.params[ROUTE] = SPA_PARAM_INFO(SPA_PARAM_Route, SPA_PARAM_INFO_READWRITE);
  card.info = SPA_DEVICE_INFO_INIT();
  card.info.props = &card.properties->dict;
  card.info.params = card.params;
  card.info.n_params = PARAM_COUNT;
  spa_hook_list_init(&card.device_hooks);
  card.device.iface =
    SPA_INTERFACE_INIT(SPA_TYPE_INTERFACE_Device, SPA_VERSION_DEVICE, &device_methods, NULL);
  card.exported = pw_core_export(card.core, SPA_TYPE_INTERFACE_Device, &card.properties->dict, &card.device, 0);
  pw_proxy_add_listener(card.exported, &card.exported_listener, &device_events, NULL);
}

int main(int count, char **arguments) {
  pw_init(NULL, NULL);
  if (!read_arguments(count, arguments))
    return 2;
  card.loop = pw_main_loop_new(NULL);
  struct pw_loop *loop = pw_main_loop_get_loop(card.loop);
  struct pw_context *context = pw_context_new(loop, NULL, 0);
  card.core = pw_context_connect(context, NULL, 0);
  if (!card.core) {
    perror("cannot connect to PipeWire");
    return 1;
  }
  pw_loop_add_signal(loop, SIGTERM, quit, NULL);
  pw_loop_add_signal(loop, SIGINT, quit, NULL);
  pw_loop_add_io(loop, STDIN_FILENO, SPA_IO_IN | SPA_IO_HUP, false, input_ready, NULL);
  card.settled = pw_loop_add_timer(loop, settle, NULL);
  pw_core_add_listener(card.core, &card.core_listener, &core_events, NULL);
  export_device();
  pw_main_loop_run(card.loop);
  remove_node();
  pw_proxy_destroy(card.exported);
  pw_core_disconnect(card.core);
  pw_context_destroy(context);
  pw_main_loop_destroy(card.loop);
  pw_properties_free(card.properties);
  pw_deinit();
  return 0;
}
