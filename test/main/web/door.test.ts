import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { openDoor } from '../../../src-main/web/door.ts'
import type { Sessions } from '../../../src-main/web/sessions.ts'
import { manualClock } from '../../support/clock.ts'

function door() {
  const all = ['c2hvcnQ=', '']
  const used: string[] = []
  const sessions: Sessions = { all: () => all, add: (hash) => all.push(hash), used: (hash) => used.push(hash) }
  return { used, all, opened: openDoor(() => 80, manualClock(), sessions) }
}

const request = (cookie: string) => ({ headers: { host: 'localhost:80', cookie } }) as unknown as IncomingMessage

it('passes over a stored hash of another length, and marks the session that let somebody in as used', () => {
  const { opened, used, all } = door()
  const cookie = opened.enter(opened.newKey(null))?.split(';')[0] ?? ''
  expect(opened.admit(request('muster-80=nobody'), false)).toBe('cookie')
  expect(used).toEqual([])
  expect(opened.admit(request(cookie), false)).toBe(null)
  expect(used).toEqual([all[2]])
})
