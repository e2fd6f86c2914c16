import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Message } from '../../../src-shared/model/messages.ts'
import { messageBody, messageTitle } from '../../../src-shared/text/messages.ts'
import { timeText } from '../../../src-shared/text/names.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { entryOf } from '../../support/messages.ts'
import { createLeftovers, openConsole, temporaryProfile, type Console } from '../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** Files that the release of November 2026 wrote, and what it answered from them, by the names of today. */
const fixtures = path.resolve('test/main/storage/fixtures/2026-11')
const expected: Expected = JSON.parse(readFileSync(path.join(fixtures, 'expected.json'), 'utf8'))
/** A second after the last entry. */
const writtenAt = 1_795_418_981_000

type State = 'open' | 'acknowledged' | 'closed'
interface Expected extends Record<'settings' | 'views' | 'policies' | 'notifications', object> {
  incidents: Record<State, { id: string; history: object[]; members: number }[]>
}

async function openFixture(): Promise<Console> {
  const profile = temporaryProfile(leftovers)
  writeFileSync(path.join(profile, 'journal.db'), gunzipSync(readFileSync(path.join(fixtures, 'journal.db.gz'))))
  copyFileSync(path.join(fixtures, 'settings.json'), path.join(profile, 'settings.json'))
  return openConsole(leftovers, profile, { clock: { ...systemClock, now: () => writtenAt } })
}

/** Something with its message in words, and the instants of which the body speaks. */
function inWords<T extends { message: Message }>({ message, ...rest }: T) {
  const instants: number[] = []
  const time = (at: number) => {
    instants.push(at)
    return timeText(at, at, true)
  }
  return { ...rest, title: messageTitle(message, time), body: messageBody(message, time), instants }
}

const listed = (of: Console, state: State): Promise<CallOutput<'incidents.list'>> =>
  of.call('incidents.list', { state, text: '', offset: 0, limit: 50 })

describe('a profile of November 2026', () => {
  test('has its settings, views, policies and notifications', async () => {
    const state = await (await openFixture()).call('app.state', {})
    // Settings of later releases have their defaults.
    expect(state.settings).toEqual({ ...defaultSettings(false), ...expected.settings })
    expect(state.views).toEqual(expected.views)
    expect(state.policies).toMatchObject({ ...expected.policies, ownZone: state.policies.ownZone })
    const { notifications } = state
    expect({ ...notifications, recent: notifications.recent.map(inWords) }).toMatchObject(expected.notifications)
  })

  test.for(['open', 'acknowledged', 'closed'] as const)(
    'has its %s incidents, their histories and members',
    async (state) => {
      const console = await openFixture()
      const { rows } = await listed(console, state)
      const found = await Promise.all(
        rows.map(async ({ id }) => ({
          ...(await console.call('incidents.show', { id })).shown,
          members: (await console.call('incidents.members', { id, offset: 0, limit: 1 })).total,
        })),
      )
      const inRow = ({ incident, history = [], members }: (typeof found)[number]) => ({
        ...(incident && inWords(incident)),
        history: history.map((entry) => ({ ...entry, detail: entryOf(entry)[1] })),
        members,
      })
      expect(found.map(inRow)).toMatchObject(expected.incidents[state])
    },
  )
})
