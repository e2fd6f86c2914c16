import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { SnapshotOutcome } from '../../../../src-main/team/log/snapshot.ts'
import type { LogWriter } from '../../../../src-main/team/log/writer.ts'
import { startSnapshots } from '../../../../src-main/team/replica/snapshots.ts'
import { manualClock, type ManualClock } from '../../../support/clock.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

/** Snapshots of a log with ten rows, each of which ends when a test says so. */
function setup() {
  const clock = manualClock()
  const folder = temporaryProfile(leftovers)
  const log = { rows: 10, snapshot: 0 }
  const written: number[] = []
  let end: ((outcome: SnapshotOutcome) => void) | null = null
  const writer = {
    async snapshot({ number }: { number: number }) {
      const { promise, resolve } = Promise.withResolvers<SnapshotOutcome>()
      end = resolve
      const outcome = await promise
      if (outcome.is === 'stored') {
        written.push(number)
        log.snapshot = number
      }
      return outcome
    },
  } as unknown as LogWriter
  const position = () => ({ number: log.rows, id: 'x' })
  const snapshots = startSnapshots({
    clock,
    writer: () => writer,
    newest: async () => log.snapshot,
    onFault: () => {},
    data: {
      logPosition: async () => position(),
      async writeSnapshot() {
        const file = path.join(folder, 'snapshot')
        writeFileSync(file, 'x')
        return { file, position: position() }
      },
    },
  })
  leftovers.push(async () => snapshots.stop())
  /** Waits until one is being sent, and ends it. */
  const ends = async (outcome: SnapshotOutcome, meanwhile = () => {}) => {
    await expect.poll(() => end !== null).toBe(true)
    meanwhile()
    end?.(outcome)
    end = null
    // Compressing and writing take turns of their own.
    for (let turn = 0; turn < 5; turn += 1) await clock.advance(0)
  }
  return { clock, log, written, snapshots, ends, isWriting: () => end !== null }
}

/** Advances, and lets what reads and writes files go on. */
async function passes(clock: ManualClock, ms: number): Promise<void> {
  await clock.advance(ms)
  await new Promise((resolve) => setTimeout(resolve, 30))
}

test('what is erased while a snapshot is sent is for the next one, within a minute', async () => {
  const { clock, log, written, snapshots, ends } = setup()
  await passes(clock, 5000)
  await ends({ is: 'stored' }, () => {
    log.rows = 11
    snapshots.soon()
  })
  await passes(clock, minute)
  await ends({ is: 'stored' })
  expect(written).toEqual([10, 11])
})

test('an erasure is not forgotten where the snapshot was not stored', async () => {
  const { clock, log, written, snapshots, ends, isWriting } = setup()
  await passes(clock, 5000)
  await ends({ is: 'stored' })
  log.rows = 11
  snapshots.soon()
  await passes(clock, minute)
  await ends({ is: 'fenced' })
  await passes(clock, minute)
  await ends({ is: 'stored' })
  expect(written).toEqual([10, 11])
  log.rows = 12
  await passes(clock, minute)
  expect(isWriting()).toBe(false)
})
