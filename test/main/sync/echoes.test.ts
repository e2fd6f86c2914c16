import { expect, test } from 'vitest'
import { createEchoes } from '../../../src-main/sync/echoes.ts'
import { manualClock } from '../../support/clock.ts'

function setup() {
  const clock = manualClock()
  const echoes = createEchoes(clock)
  const since = clock.now()
  return { clock, tell: (connection: string, word: string, from = since) => echoes.isEcho({ device: 's d1', connection, word, since: from }) }
}

test('each change counts once, whichever connection is ahead', () => {
  const { tell } = setup()
  expect([tell('c1', 'gone'), tell('c1', 'back'), tell('c2', 'gone'), tell('c2', 'back'), tell('c2', 'gone'), tell('c1', 'gone')]).toEqual([false, false, true, true, false, true])
})

test('what a connection behind tells twice is no news, while another one is a word ahead', () => {
  const { tell } = setup()
  expect([tell('c1', 'gone'), tell('c1', 'back'), tell('c2', 'gone'), tell('c2', 'gone'), tell('c2', 'back')]).toEqual([false, false, true, true, true])
})

test('a connection that began anew tells news, also in a word that it told before', async () => {
  const { clock, tell } = setup()
  expect([tell('c1', 'gone'), tell('c2', 'gone'), tell('c2', 'back')]).toEqual([false, true, false])
  await clock.advance(1_000)
  expect(tell('c1', 'gone', clock.now())).toBe(false)
})
