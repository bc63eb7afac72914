import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Around, wrappedDisk, wrappedFile } from '@kron/testkit/disk/wrapped-disk'
import fc from 'fast-check'
import { removeLeftovers, writeAllAtomically } from './atomic-file.ts'
import type { Disk } from './disk.ts'
import { Journal } from './journal.ts'
import { VirtualDisk } from './virtual-disk.ts'

/** A disk whose plug is pulled at the nth thing done to it, or its user killed; from then on nothing returns. */
function doomed(
  disk: VirtualDisk,
  stepsToLive: number,
  end = (): unknown => disk.crash(),
): { disk: Disk; crashed: Promise<void> } {
  let steps = 0
  let crash!: () => void
  const crashed = new Promise<void>(resolve => {
    crash = resolve
  })
  const never = new Promise<never>(() => {})
  const mortal: Around =
    (_, act) =>
    async (...values) => {
      if (steps++ < stepsToLive) return act(...values)
      if (steps === stepsToLive + 1) {
        // The last thing may have reached the disk, or half of it.
        void act(...values).catch(() => {})
        end()
        crash()
      }
      return never
    }
  return { crashed, disk: wrappedDisk(disk, mortal, made => wrappedFile(made, mortal)) }
}

/** A disk with one durable directory, and chances drawn from the seed. */
async function freshDisk(seed: number): Promise<VirtualDisk> {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const disk = new VirtualDisk({ random })
  await disk.makeDirectory('', 0o755)
  await disk.makeDirectory('/state', 0o700)
  await disk.syncDirectory('')
  return disk
}

const seed = fc.integer({ min: 1, max: 2 ** 31 })

test('whenever the power fails, a journal and the file it is cut into hold all that was promised', async () => {
  await fc.assert(
    fc.asyncProperty(
      seed,
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
      async (seed, lives) => {
        const disk = await freshDisk(seed)
        const promised = new Set<number>()
        let attempted = 0
        const recovered = async (on: Disk): Promise<{ journal: Journal; known: Set<number> }> => {
          await removeLeftovers(on, '/state')
          const known = new Set<number>()
          const stored = await on.read('/state/stored').catch(() => Buffer.from('[]'))
          for (const record of JSON.parse(Buffer.from(stored).toString())) known.add(record)
          const journal = await Journal.open(on, '/state', record => known.add(Number(Buffer.from(record))))
          return { journal, known }
        }
        const live = async (on: Disk): Promise<void> => {
          const { journal, known } = await recovered(on)
          for (let turn = 0; turn < 8; turn++) {
            const batch = [++attempted, ++attempted]
            for (const record of batch) known.add(record)
            await Promise.all(batch.map(record => journal.append(String(record))))
            for (const record of batch) promised.add(record)
            if (turn % 3 === 2) {
              await journal.cut(() =>
                writeAllAtomically(on, [{ path: '/state/stored', bytes: JSON.stringify([...known]) }]),
              )
            }
          }
        }
        for (const steps of lives) {
          const { disk: mortal, crashed } = doomed(disk, steps)
          const died = await Promise.race([live(mortal).then(() => false), crashed.then(() => true)])
          if (!died) disk.crash()
          const { journal, known } = await recovered(disk)
          for (const record of promised) assert.ok(known.has(record), `${record} is lost`)
          for (const record of known) assert.ok(record <= attempted, `${record} was never written`)
          await journal.close()
        }
      },
    ),
    { numRuns: 400 },
  )
})

test('whenever the power fails, each of many files is the old or the new one, and the new one once promised', async () => {
  await fc.assert(
    fc.asyncProperty(seed, fc.integer({ min: 0, max: 40 }), async (seed, steps) => {
      const disk = await freshDisk(seed)
      const files = (text: string) =>
        Array.from({ length: 4 }, (_, index) => ({ path: `/state/${index}`, bytes: text.repeat(index + 3) }))
      await writeAllAtomically(disk, files('old'))
      const { disk: mortal, crashed } = doomed(disk, steps)
      const writing = writeAllAtomically(mortal, files('new')).then(() => true)
      const promised = await Promise.race([writing, crashed.then(() => false)])
      if (promised) disk.crash()
      await removeLeftovers(disk, '/state')
      for (const [index, { path }] of files('').entries()) {
        const text = Buffer.from(await disk.read(path)).toString()
        const wanted = promised ? ['new'] : ['old', 'new']
        assert.ok(wanted.map(word => word.repeat(index + 3)).includes(text), text)
      }
      assert.deepEqual((await disk.list('/state')).sort(), ['0', '1', '2', '3'])
    }),
    { numRuns: 300 },
  )
})

test('what a killed writer left, names too, outlasts a power cut once another writer has gone on with it', async () => {
  for (let steps = 1; steps < 40; steps++) {
    // Data that was not synced is lost.
    const disk = new VirtualDisk({ random: () => 0.9 })
    await disk.makeDirectory('', 0o755)
    await disk.makeDirectory('/state', 0o700)
    await disk.syncDirectory('')
    const { disk: mortal, crashed } = doomed(disk, steps, () => {})
    const first = async (): Promise<void> => {
      const journal = await Journal.open(mortal, '/state', () => {})
      for (;;) {
        await journal.append('first')
        await journal.cut(async () => {})
      }
    }
    await Promise.race([first(), crashed])
    await removeLeftovers(disk, '/state')
    const second = await Journal.open(disk, '/state', () => {})
    await second.append('second')
    disk.crash()
    const known: string[] = []
    await Journal.open(disk, '/state', record => known.push(Buffer.from(record).toString()))
    assert.ok(known.includes('second'), `lost after a kill at step ${steps}`)
  }
})
