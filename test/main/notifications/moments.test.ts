import { afterEach, expect, test } from 'vitest'
import { messageBody, messageTitle } from '../../../src-shared/text/messages.ts'
import { bodyOf } from '../../support/messages.ts'
import type { Notification } from '../../../src-shared/model/inventory.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { openWorld, usual } from '../incidents/world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000
const textsOf = (sent: Notification | undefined) =>
  sent && [messageTitle(sent.message, (at) => `[${at}]`), messageBody(sent.message, (at) => `[${at}]`)]

test('a notification carries its instants, also over a restart', async () => {
  const { drop, clock, sent, restart, alerts } = await openWorld(leftovers, usual)
  const at = clock.now()
  await drop('berlin-a-1')
  await clock.advance(2 * minute)
  expect(bodyOf(sent[0])).toBe('Room a, Berlin, Acme. Since 03:00 UTC.')
  expect(textsOf(sent[0])).toEqual(['Studio berlin-a-1 is offline', `Room a, Berlin, Acme. Since [${at}].`])
  await restart()
  expect(textsOf(alerts().notifications().recent[0])).toEqual(textsOf(sent[0]))
})

test('a title with an instant keeps it in the summary of a pause', async () => {
  const { drop, blind, clock, sent, alerts } = await openWorld(leftovers, usual)
  await alerts().pause(10)
  await drop('rome-a-1')
  await clock.advance(2 * minute)
  const at = clock.now()
  await blind('beta')
  await clock.advance(3 * minute)
  await alerts().pause(0)
  await clock.advance(2 * minute)
  expect(textsOf(sent.at(-1))).toEqual([
    '1 device went offline while notifications were paused',
    `Monitoring lost for Beta since [${at}]. Studio rome-a-1 is offline.`,
  ])
})
