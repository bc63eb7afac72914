/** krond beside cron, busybox crond and a bare loop of posix_spawn; the peers need root and cc. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { burst } from './krond/burst.ts'
import { durability } from './krond/durability.ts'
import { idle } from './krond/idle.ts'
import { lateness } from './krond/lateness.ts'
import { planning } from './krond/planning.ts'
import { size } from './krond/size.ts'
import { makeWorkshop } from './krond/workshop.ts'
import { sized } from './quick.ts'

/** Minutes of lateness, and rounds of what is repeated. */
const ROUNDS = Number(process.env['KRON_BENCH_ROUNDS'] ?? sized(5, 2))
/** Sizes come last: a million state files keep the disk busy long after they are gone. */
const PARTS = process.env['KRON_BENCH_KROND'] ?? 'planning,durability,lateness,burst,idle,size'

export default async function krond(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kron-bench-'))
  try {
    const workshop = makeWorkshop(directory)
    const parts: Record<string, () => Promise<void>> = {
      planning,
      durability: () => durability(workshop),
      size: () => size(ROUNDS),
      lateness: () => lateness(workshop, ROUNDS),
      burst: () => burst(workshop, { rounds: sized(2 * ROUNDS, ROUNDS), withPeers: ROUNDS }),
      idle,
    }
    for (const name of PARTS.split(',')) await parts[name]!()
  } finally {
    rmSync(directory, { recursive: true })
  }
}

if (import.meta.main) await krond()
