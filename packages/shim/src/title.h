/* What `ps` shows for this process: a run is a fork of serve and must not look like it. */
#ifndef KRON_TITLE_H
#define KRON_TITLE_H

#include "shim.h"

/* Finds the room that the kernel gave to arguments and environment. Nobody may use either after title_set. */
void title_find(char **argv, char **environment);

/* Writes new arguments there, as far as they fit, and clears the rest, with the environment. */
void title_set(const char *const *words, size_t count);

#endif
