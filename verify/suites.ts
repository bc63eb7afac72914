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
    node: [source, 'verify/simulate/run.ts'],
  },
  torture: {
    summary: 'kill -9, full disks, clock jumps against the real daemon and stores',
    example: 'torture --for 10m --only kill,clock',
    node: [source, 'verify/torture/run.ts'],
    first: ['build'],
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
    summary: "krond beside Debian's cron on the same crontabs: times, environment, users, mail",
    example: 'drop-in',
    node: [source, 'verify/drop-in/run.ts'],
  },
  zones: {
    summary: "the host's time zone files against Python's zoneinfo and Node's ICU",
    example: 'zones --directory /usr/share/zoneinfo',
    node: [source, 'verify/zones/run.ts'],
  },
  fleet: {
    summary: 'three daemons with machine ids of their own; a forecast of 10,000 hosts',
    example: 'fleet',
    node: [source, 'verify/fleet/run.ts'],
  },
  calendars: {
    summary: 'iCalendar files beside an independent reader, and hostile ones',
    example: 'calendars --count 5000 --seed 2',
    node: [source, '--no-warnings', 'verify/calendars/run.ts'],
  },
  reliability: {
    summary: 'writes the recorded figures into docs/reliability.md',
    example: 'reliability',
    node: ['verify/reliability/run.ts'],
  },
  bench: {
    summary: 'Kron beside its peers, as ratios; --compare holds them against those kept',
    example: 'bench --only engine,krontab',
    node: [source, '--expose-gc', 'verify/bench/run.ts'],
  },
  'bench-launch': {
    summary: 'starts beside the commit before kron-shim: a burst of 1,000 and single ones',
    example: 'bench-launch --rounds 3',
    node: [source, 'verify/bench/launch.ts'],
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
    summary: 'the Debian packages, built and installed into a root of their own',
    example: 'packaging',
    node: [source, '--test', 'packaging/deb/deb.packaging.ts', 'packaging/deb/completions.packaging.ts'],
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
  'docs-site': {
    summary: 'the documents as a site, in var/site',
    example: 'docs-site',
    node: [source, 'scripts/docs-site.ts'],
  },
  'new-user': {
    summary: "the README's first steps in a fresh clone",
    example: 'new-user',
    node: [source, '--test', 'verify/new-user/new-user.e2e.ts'],
  },
}
