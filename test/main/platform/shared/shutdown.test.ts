import { expect, it } from 'vitest'
import { shutdownOnce } from '../../../../src-main/platform/shared/shutdown.ts'
import { manualClock } from '../../../support/clock.ts'

it('stops in reverse order, each awaited, once', async () => {
  const said: string[] = []
  const stop = (name: string) => async () => {
    await Promise.resolve()
    said.push(name)
  }
  const end = shutdownOnce([stop('first'), stop('second'), stop('third')], manualClock())
  expect(await Promise.all([end(), end()])).toEqual([true, true])
  expect(said).toEqual(['third', 'second', 'first'])
})

it('stops the others when one throws, and reports it', async () => {
  const said: string[] = []
  const end = shutdownOnce(
    [
      () => said.push('first'),
      () => {
        throw new Error('no')
      },
    ],
    manualClock(),
  )
  expect(await end()).toBe(false)
  expect(said).toEqual(['first'])
})

it('does not wait for ever for one that hangs', async () => {
  const clock = manualClock()
  const ended = shutdownOnce([() => new Promise(() => {})], clock, 5000)()
  clock.advance(5000)
  expect(await ended).toBe(false)
})
