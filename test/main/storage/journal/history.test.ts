import { afterEach, expect, test } from 'vitest'
import { openJournal } from '../../../../src-main/storage/journal/journal.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

test.each([3, 1000])(
  'transitions of %i devices come in the order of entry, and only of the requested time',
  (devices) => {
    const journal = openJournal(temporaryProfile(leftovers), 0)
    leftovers.push(() => journal.close())
    const entered = (key: string, at: number, notBefore: number | null, connected: boolean) => ({
      key,
      state: { connected, at, notBefore, since: null },
      transition: { at, notBefore, connected },
    })
    journal.enter([
      entered('s/t/0', 900, null, false),
      entered('s/t/0', 1600, 1500, true),
      entered('s/t/1', 1200, null, false),
      entered('s/t/0', 950, null, false),
      entered('s/t/0', 1400, null, true),
      entered('s/t/other/0', 1500, null, false),
    ])
    const keys = Array.from({ length: devices }, (_, n) => `s/t/${n}`)
    const visited: unknown[][] = []
    journal.history.since(keys, 1000, (...one) => visited.push(one))
    expect(visited.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      [0, 1600, 1500, true],
      [0, 1400, null, true],
      [1, 1200, null, false],
    ])
    expect(journal.history.states(keys).slice(0, 3)).toEqual([
      { connected: true, knownSince: 900 },
      { connected: false, knownSince: 1200 },
      null,
    ])
  },
)
