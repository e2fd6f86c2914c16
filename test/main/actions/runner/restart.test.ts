import { expect, test } from 'vitest'
import { minutes, opened } from './opened.ts'

test('the last proof of an ended job is taken up', async () => {
  const { clock, world, target } = await opened(['no-answer'])
  await clock.advance(5)
  await world.kill()
  // Nothing of the drop and the return is seen: only the check-in proves it.
  world.jobs().applyChange = () => {}
  expect(target(0)?.outcome).toBe('unknown')
  await clock.advance(10 * minutes)
  expect(target(0)).toMatchObject({ outcome: 'done', provenBy: 'check-in' })
  await clock.advance(minutes)
  expect(world.jobs().list()).toMatchObject([{ counts: { done: 1, unknown: 0 } }])
})

/** A reboot that Muster's end interrupted: its job ended at the next start, and Muster has ended again. */
async function restartedTwice() {
  const found = await opened(['no-answer'])
  await found.clock.advance(5)
  await found.world.kill()
  expect([found.state(), found.target(0)?.outcome]).toEqual(['done', 'unknown'])
  await found.world.kill()
  return found
}

test('the drop of a reboot of an ended job is expected after a restart, and proves it', async () => {
  const { clock, world, id, target } = await restartedTwice()
  expect(world.expected.at(-1)).toMatchObject([{ key: 'service/tenant/0', job: id }])
  await clock.advance(2 * minutes)
  expect(target(0)).toMatchObject({ outcome: 'done', provenBy: 'disconnect' })
  expect(world.jobs().list()).toMatchObject([{ state: 'done', counts: { done: 1 } }])
  await world.kill()
  expect(world.expected.at(-1)).toEqual([])
})

test('the proof of a reboot of an ended job is asked for after a restart', async () => {
  const { clock, world, target } = await restartedTwice()
  world.jobs().applyChange = () => {}
  await clock.advance(10 * minutes)
  expect(target(0)).toMatchObject({ outcome: 'done', provenBy: 'check-in' })
})
