// SPDX-License-Identifier: MIT

/// Runs a program in a terminal that shows nothing: columns, rows, a text that its first frame has, and the program with its words.
int terminal(char **words);
