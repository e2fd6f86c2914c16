import { expect, test } from 'vitest'
import type { Outcome } from '../../../src-main/channels/outcome.ts'
import { sendContent } from '../../../src-main/channels/sending.ts'
import type { Mail } from '../../../src-main/ports.ts'
import { manualClock } from '../../support/clock.ts'
import { mailChannel } from '../../support/channels.ts'
import { contentWith } from './formats/content-of.ts'

const minute = 60_000

/** A mail server that never answers, and the outcome of an attempt; null while there is none. */
function attempt({ takesAll }: { takesAll: boolean }) {
  const clock = manualClock()
  const stopping = new AbortController()
  const mail: Mail = {
    send(_server, _letter, signal, onHandedOver) {
      if (takesAll) onHandedOver()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  const context = { options: { ports: { clock, mail } } } as unknown as Parameters<typeof sendContent>[0]
  const seen = { outcome: null as Outcome | null }
  const given = { channel: mailChannel({ host: 'mail.example.com' }), secret: {} }
  void sendContent(context, given, contentWith(), { have: ['ann@example.com'], stopping: stopping.signal }).then(
    (outcome) => (seen.outcome = outcome),
  )
  return { clock, stopping, seen }
}

test.each([
  ['that takes nothing has a minute', false, minute],
  ['that has all of a letter has ten minutes to accept it', true, 10 * minute],
])('a mail server %s', async (_what, takesAll, longest) => {
  const { clock, seen } = attempt({ takesAll })
  await clock.advance(longest - 1)
  expect(seen.outcome).toBeNull()
  await clock.advance(1)
  expect(seen.outcome).toMatchObject({
    is: 'later',
    to: ['ann@example.com'],
    reason: expect.stringContaining('mail.example.com'),
  })
  expect(clock.pending()).toBe(0)
})

test('an attempt is given up when Muster ends', async () => {
  const { clock, stopping, seen } = attempt({ takesAll: true })
  stopping.abort(new Error('the end'))
  await clock.advance(0)
  expect(seen.outcome?.is).toBe('later')
  expect(clock.pending()).toBe(0)
})
