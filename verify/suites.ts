/** One way to verify Kron beyond `npm test`. */
export interface Suite {
  readonly summary: string
  /** The words after `npm run verify --`. */
  readonly example: string
  /** Flags and program for Node, before the caller's words. */
  readonly node: readonly string[]
  /** npm scripts that must have run before. */
  readonly first?: readonly string[]
}

const source = '--conditions=kron-source'

export const SUITES: Readonly<Record<string, Suite>> = {
  krond: {
    summary: 'the real daemon: killed at every step, failing disks, load',
    example: 'krond faults',
    node: ['verify/krond/run.ts'],
  },
  shim: {
    summary: 'kron-shim: rebuilt byte for byte, killed at every system call, sanitizers, fuzzing',
    example: 'shim rebuild kills',
    node: ['verify/shim/run.ts'],
  },
  simulate: {
    summary: 'random histories of krond and the scheduler on a virtual machine',
    example: 'simulate --seeds 200 --jobs 2',
    // Histories make much garbage and keep little of it; threads for the collector would take the simulation's processors.
    node: [source, '--max-semi-space-size=64', '--single-threaded-gc', 'verify/simulate/run.ts'],
  },
  torture: {
    summary: 'kill -9, full disks, clock jumps against the real daemon and stores',
    example: 'torture --for 10m --only kill,clock',
    node: [source, 'verify/torture/run.ts'],
    first: ['build'],
  },
  damage: {
    summary: 'every bit of states, journal, claims and end records flipped; the daemon restarted',
    example: 'damage --sample 20 --real 10',
    node: [source, '--no-warnings', 'verify/damage/run.ts'],
  },
  clock: {
    summary:
      'the delivered krond under libfaketime: the clock wrong by 1 s to 10 years and right again, or the machine asleep',
    example: 'clock --only 3600 --at-once 6',
    node: [source, '--no-warnings', 'verify/clock/run.ts'],
    first: ['build'],
  },
  'log-reader': {
    summary:
      'whether log readers that are stopped, slow, dead or closed, or a full disk, delay starts (root)',
    example: 'log-reader --rounds 2',
    node: [source, '--no-warnings', 'verify/log-reader/run.ts'],
  },
  fuzz: {
    summary: 'random inputs for every parser, guided by the branches they take',
    example: 'fuzz --target cron,schedule --for 5m',
    node: [source, '--no-warnings', 'verify/fuzz/fuzz.ts'],
  },
  mutate: {
    summary: 'makes the engine wrong in one place at a time; lists what no test notices',
    example: 'mutate --sample 10',
    node: [source, '--no-warnings', 'verify/mutate/mutate.ts'],
  },
  'drop-in': {
    summary: "krond beside Debian's cron on the same crontabs: times, environment, users, mail (root)",
    example: 'drop-in side-by-side --hours 6',
    node: [source, 'verify/drop-in/run.ts'],
    first: ['build'],
  },
  users: {
    summary:
      'two users under one root daemon: own jobs, refused requests, attacks from home directories (root)',
    example: 'users',
    node: [source, 'verify/users/run.ts'],
  },
  zones: {
    summary: "the host's time zone files against Python's zoneinfo and Node's ICU",
    example: 'zones --directory /usr/share/zoneinfo',
    node: [source, 'verify/zones/run.ts'],
  },
  fleet: {
    summary: 'three daemons with machine ids of their own (root); a forecast of 10,000 hosts',
    example: 'fleet',
    node: [source, 'verify/fleet/run.ts'],
  },
  calendars: {
    summary: 'iCalendar files beside an independent reader, and hostile ones',
    example: 'calendars --count 5000 --seed 2',
    node: [source, '--no-warnings', 'verify/calendars/run.ts'],
  },
  reliability: {
    summary: 'writes the recorded figures into docs/reliability.md and its pages and pictures',
    example: 'reliability',
    node: ['verify/reliability/run.ts'],
  },
  bench: {
    summary: 'Kron beside its peers, as ratios; --compare holds them against those kept',
    example: 'bench --only engine,krontab',
    node: [source, '--expose-gc', 'verify/bench/run.ts'],
    first: ['build'],
  },
  'bench-launch': {
    summary: 'starts beside the commit before kron-shim: a burst of 1,000 and single ones',
    example: 'bench-launch --rounds 3',
    node: [source, 'verify/bench/launch.ts'],
  },
  'bench-before': {
    summary: 'engine, scheduler and a daemon with 100,000 jobs beside the commit before kron-shim',
    example: 'bench-before --rounds 7',
    node: [source, '--expose-gc', 'verify/bench/before.ts'],
    first: ['build'],
  },
  'bench-executable': {
    summary: "size, start-up and memory of the single executable beside supercronic, Debian's cron and npm",
    example: 'bench-executable --rounds 21',
    node: [source, '--no-warnings', 'verify/bench/executable.ts'],
    first: ['build'],
  },
  'bench-cluster': {
    summary: 'KronJobs beside as many CronJobs on one control plane',
    example: 'bench-cluster --count 1000 --due 200',
    node: [source, 'verify/bench/cluster.ts'],
  },
  cluster: {
    summary: 'the operator on a real Kubernetes control plane, which is built once',
    example: 'cluster --test-name-pattern=policies',
    node: [source, 'verify/cluster/run.ts'],
  },
  postgres: {
    summary: 'the scheduler on a real PostgreSQL server',
    example: 'postgres',
    node: [source, 'verify/postgres/run.ts'],
  },
  browser: {
    summary: "the console in the system's Chromium; --screenshots also writes docs/images",
    example: 'browser views',
    node: ['verify/browser/run.ts'],
  },
  api: {
    summary: 'the API of a running krond against its OpenAPI file, with schemathesis',
    example: 'api',
    node: ['verify/api/run.ts'],
  },
  rules: {
    summary: "krond's Prometheus rules, with promtool",
    example: 'rules',
    node: ['verify/rules/run.ts'],
  },
  dist: {
    summary: "the built packages on the machine's own Node",
    example: 'dist',
    node: ['verify/dist/run.ts'],
  },
  packages: {
    summary: 'the packages as npm would publish them, used in an empty project',
    example: 'packages',
    node: [source, 'verify/packages/run.ts'],
  },
  'scheduler-matrix': {
    summary: 'the packed scheduler on Node 20 to 26, Bun, Deno, test runners, bundlers, TypeScript',
    example: 'scheduler-matrix --quick',
    node: [source, 'verify/scheduler-matrix/run.ts'],
    first: ['build'],
  },
  'scheduler-figures': {
    summary: 'size, import time and memory of the scheduler beside node-cron and croner; its stores',
    example: 'scheduler-figures',
    node: [source, 'verify/scheduler-matrix/figures.ts'],
    first: ['build'],
  },
  packaging: {
    summary: 'the executable, and the Debian packages, built and installed into a root of their own',
    example: 'packaging',
    node: [
      ...[source, '--test', 'packaging/executable/executable.packaging.ts'],
      ...['packaging/deb/deb.packaging.ts', 'packaging/deb/completions.packaging.ts'],
    ],
    first: ['build'],
  },
  arm64: {
    summary: 'the executable for arm64, built here and run in an emulator',
    example: 'arm64',
    node: [source, '--test', '--test-reporter=spec', 'packaging/executable/arm64.packaging.ts'],
    first: ['build'],
  },
  systemd: {
    summary:
      'the Debian package under systemd in Debian 12 and 13 without Node, from installation to purge (root)',
    example: 'systemd bookworm',
    node: [source, 'verify/systemd/run.ts'],
    first: ['build'],
  },
  images: {
    summary: 'the container images without an engine (root, buildah, mmdebstrap)',
    example: 'images',
    node: [source, 'verify/images/run.ts'],
  },
  originals: {
    summary: 'what import says of cron and systemd, against both (Debian, root)',
    example: 'originals',
    node: [source, 'verify/originals/run.ts'],
  },
  conformance: {
    summary:
      'an independent engine in Python against the golden vectors, through the conformance kit (needs mpmath)',
    example: 'conformance --only periods',
    node: ['verify/conformance/run.ts'],
  },
  'docs-site': {
    summary: 'the documents as a site in var/site: links, search, playground and axe in Chromium',
    example: 'docs-site --built',
    node: [source, 'verify/docs-site/run.ts'],
  },
  'new-user': {
    summary: 'the first pages typed on a clean machine, and ten mistakes of newcomers (root, mmdebstrap)',
    example: 'new-user',
    node: ['verify/new-user/run.ts'],
  },
}
