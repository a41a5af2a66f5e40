// SPDX-License-Identifier: MIT
//
// Gives painted bytes to libvterm, and says what its cells show then:
//
//   other-terminal FILE
//
// FILE holds any number of frames: a line "COLUMNS ROWS LENGTH", then LENGTH bytes. All go to one terminal, which gets that size first.
// After each frame these lines are printed:
//
//   frame ROW COLUMN shown|hidden        the cursor
//   ROW COLUMN STYLE INK PAPER CELL...   neighbours of one style; rows of plain spaces and the spaces at the end of a row are left out
//   end
//
// STYLE: the letters b (bold), r (reverse), u (underline), or - for none; ? stands for anything that the screen never asks for.
// INK and PAPER: - for the terminal's own colour, the number of a palette colour, or #rrggbb. CELL: the code points in hexadecimal, joined
// by +, or < for the second half of a wide character.
//
// Compiles with libvterm 0.1.4 and with 0.3.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

#define SECOND_HALF ((uint32_t)-1)

static bool cursor_shown = true;

static void fail(const char *reason) {
  fprintf(stderr, "other-terminal: %s\n", reason);
  exit(1);
}

static int property(VTermProp property, VTermValue *value, void *unused) {
  (void)unused;
  if (property == VTERM_PROP_CURSORVISIBLE) cursor_shown = value->boolean;
  return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = property};

static VTerm *new_terminal(void) {
  VTerm *terminal = vterm_new(1, 1);
  if (!terminal) fail("libvterm makes no terminal");
  vterm_set_utf8(terminal, 1);
  VTermScreen *screen = vterm_obtain_screen(terminal);
  vterm_screen_set_callbacks(screen, &callbacks, NULL);
  // A new size does not reflow the text here. 0.3.3 can do that, but aborts at some small sizes.
  vterm_screen_reset(screen, 1);
  return terminal;
}

static const char *style(VTermScreenCellAttrs attributes, char *text) {
  char *end = text;
  if (attributes.bold) *end++ = 'b';
  if (attributes.reverse) *end++ = 'r';
  if (attributes.underline == VTERM_UNDERLINE_SINGLE) *end++ = 'u';
  bool other = attributes.underline > VTERM_UNDERLINE_SINGLE || attributes.italic || attributes.blink || attributes.strike ||
               attributes.font || attributes.dwl || attributes.dhl;
#if VTERM_VERSION_MAJOR > 0 || VTERM_VERSION_MINOR >= 3
  other = other || attributes.conceal || attributes.small || attributes.baseline;
#endif
  if (other) *end++ = '?';
  if (end == text) *end++ = '-';
  *end = 0;
  return text;
}

static const char *colour(const VTermColor *colour, bool is_standard, char *text, size_t size) {
  if (is_standard)
    snprintf(text, size, "-");
  else if (VTERM_COLOR_IS_INDEXED(colour))
    snprintf(text, size, "%d", colour->indexed.idx);
  else
    snprintf(text, size, "#%02x%02x%02x", colour->rgb.red, colour->rgb.green, colour->rgb.blue);
  return text;
}

// Style and colours of a cell, as they are printed.
static void describe(const VTermScreenCell *cell, char *text, size_t size) {
  char letters[8], ink[8], paper[8];
  snprintf(text, size, "%s %s %s", style(cell->attrs, letters),
           colour(&cell->fg, VTERM_COLOR_IS_DEFAULT_FG(&cell->fg), ink, sizeof ink),
           colour(&cell->bg, VTERM_COLOR_IS_DEFAULT_BG(&cell->bg), paper, sizeof paper));
}

static void print_characters(const VTermScreenCell *cell) {
  if (cell->chars[0] == SECOND_HALF) {
    printf(" <");
    return;
  }
  // A cell that was erased has no character.
  printf(" %x", cell->chars[0] ? cell->chars[0] : ' ');
  for (int i = 1; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[0] && cell->chars[i]; i++) printf("+%x", cell->chars[i]);
}

static bool is_blank(const VTermScreenCell *cell) {
  char text[32];
  if (cell->chars[0] && (cell->chars[0] != ' ' || cell->chars[1])) return false;
  describe(cell, text, sizeof text);
  return !strcmp(text, "- - -");
}

static VTermScreenCell cell_at(VTermScreen *screen, int row, int column) {
  VTermScreenCell cell = {0};
  if (!vterm_screen_get_cell(screen, (VTermPos){.row = row, .col = column}, &cell)) fail("no such cell");
  return cell;
}

static void print_row(VTermScreen *screen, int row, int columns) {
  char last[32] = "", next[32];
  for (int end = columns; end > 0; end--) {
    VTermScreenCell cell = cell_at(screen, row, end - 1);
    if (is_blank(&cell)) continue;
    for (int column = 0; column < end; column++) {
      cell = cell_at(screen, row, column);
      describe(&cell, next, sizeof next);
      // libvterm gives a style to the first half only.
      bool begins = !*last || (strcmp(next, last) && cell.chars[0] != SECOND_HALF);
      if (begins) printf("%s%d %d %s", column ? "\n" : "", row, column, strcpy(last, next));
      print_characters(&cell);
    }
    printf("\n");
    return;
  }
}

static void print_frame(VTerm *terminal, int columns, int rows) {
  VTermPos cursor;
  vterm_state_get_cursorpos(vterm_obtain_state(terminal), &cursor);
  printf("frame %d %d %s\n", cursor.row, cursor.col, cursor_shown ? "shown" : "hidden");
  for (int row = 0; row < rows; row++) print_row(vterm_obtain_screen(terminal), row, columns);
  printf("end\n");
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: other-terminal FILE");
  FILE *file = fopen(arguments[1], "rb");
  if (!file) fail("cannot open the file");
  VTerm *terminal = new_terminal();
  int columns, rows;
  size_t length;
  while (fscanf(file, "%d %d %zu", &columns, &rows, &length) == 3 && fgetc(file) == '\n') {
    char *bytes = malloc(length + 1);
    if (!bytes || fread(bytes, 1, length, file) != length) fail("a frame is cut off");
    vterm_set_size(terminal, rows, columns);
    vterm_input_write(terminal, bytes, length);
    print_frame(terminal, columns, rows);
    free(bytes);
  }
  if (!feof(file)) fail("that is no frame");
  vterm_free(terminal);
  fclose(file);
  return 0;
}
