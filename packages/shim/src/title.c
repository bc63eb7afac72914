/* Writes over the arguments of this process. See title.h. */
#include "title.h"

#include "text.h"

static char *arguments, *environment_end;
static size_t arguments_size;

/* The end of the last of these strings, if they lie one after another behind `from`. */
static char *end_of(char **strings, char *from) {
  for (; *strings != NULL; strings++)
    if (*strings == from) from += strlen(from) + 1;
  return from;
}

void title_find(char **argv, char **environment) {
  arguments = argv[0];
  char *end = end_of(argv, arguments);
  arguments_size = (size_t)(end - arguments);
  environment_end = end_of(environment, end);
}

void title_set(const char *const *words, size_t count) {
  if (arguments_size == 0) return;
  memset(arguments, 0, (size_t)(environment_end - arguments));
  struct text text = {arguments, 0, arguments_size - 1, false}; /* a last byte that is not 0 has a meaning in /proc */
  for (size_t i = 0; i < count; i++) text_field(&text, words[i]);
}
