import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Disk } from '../../../../runtime/src/disk/disk.ts'
import { Journal } from '../../../../runtime/src/disk/journal.ts'
import { readJournal } from '../../../../runtime/src/disk/journal-recovery.ts'
import { nodeDisk } from '../../../../runtime/src/disk/node-disk.ts'

const root = mkdtempSync(join(tmpdir(), 'kron-journal-'))
after(() => rmSync(root, { recursive: true }))
let count = 0
export const directory = () => mkdtempSync(join(root, `${count++}-`))

export async function openIn(dir: string, disk: Disk = nodeDisk) {
  const records: string[] = []
  const journal = await Journal.open(disk, dir, record => records.push(Buffer.from(record).toString()))
  return { journal, records }
}

export async function recordsIn(dir: string): Promise<string[]> {
  const records: string[] = []
  await readJournal(nodeDisk, dir, record => records.push(Buffer.from(record).toString()))
  return records
}
