/* kron-shim: see PROTOCOL.md. `serve` is the daemon's helper, `run` is the parent of one command. */
#include "run.h"
#include "serve.h"
#include "title.h"

#define VERSION "kron-shim 1\n"

static int usage(void) {
  static const char text[] =
    "kron-shim is the part of Kron that starts jobs; krond and krontab run it.\n"
    "usage: kron-shim serve CLAIMS-DIR RUNS-DIR CONTROL-SOCKET SYNC LOCK-WAIT-MS CGROUP\n"
    "       kron-shim run JOB\n"
    "       kron-shim --version\n";
  return write(2, text, sizeof text - 1) < 0 ? 2 : 2;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--version") == 0) return write(1, VERSION, sizeof VERSION - 1) < 0;
  if (argc == 3 && strcmp(argv[1], "run") == 0) return run_for_caller(argv[2]);
  if (argc >= 2 && strcmp(argv[1], "serve") == 0) {
    title_find(argv, environ);
    return serve_main(argc, argv);
  }
  return usage();
}
