import { expect, test } from 'vitest'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { arm, armAll, askOfFiltered, jobParts, openLocked, rebootsSent, showJob } from '../support/actions-window.ts'
import { service, temporaryProfile } from '../support/fleet.ts'
import { shows } from '../support/page-parts.ts'
import { readFleet, serve, useWindows, whenListening } from '../support/window.ts'

const windows = useWindows()

/** Three devices that are away after a reboot until the test says that they are back, and Muster over them. */
async function setup() {
  const profile = temporaryProfile(windows.leftovers)
  const secrets = openMemory('a test’s keychain')
  const reference = await service(windows.leftovers, { devices: 12, tenants: 1 })
  const { world } = reference
  const free = world.devices().filter(({ callStatus, connected }) => connected === true && callStatus !== 'IN_CALL')
  const ids = free.slice(0, 3).map(({ id }) => id)
  for (const [index, id] of ids.entries()) {
    world.renameDevice(id, `Night ${index + 1}`)
    reference.setRebootOutcome(id, 'lost')
  }
  const served = await serve(windows.leftovers, profile, { secrets })
  await readFleet(served.muster, reference)
  const restart = async () => {
    const again = await serve(windows.leftovers, profile, { secrets })
    await whenListening(again.muster, reference)
    return again
  }
  return { reference, served, restart, back: (at: number) => world.setConnected(ids[at] ?? '', true) }
}

test(
  'a job that Muster’s end interrupts shows what is open, and continues by hand alone',
  { timeout: 120_000 },
  async () => {
    const { reference, served, restart, back } = await setup()
    const before = await openLocked(windows, served, { expected: [/WebSocket connection to .* failed/u] })
    await armAll(served.muster)
    const sheet = await askOfFiltered(before, { filter: 'Night', count: 3, action: 'Reboot…' })
    await sheet.getByText('In batches').click()
    await sheet.getByRole('textbox', { name: /^Batches of/u }).fill('1')
    await sheet.getByRole('button', { name: 'Reboot 3 devices' }).click()
    await showJob(before)
    const first = jobParts(before)
    await shows(first.outcomeOf('Night 1'), /Not back yet\.$/u)
    back(0)
    await shows(first.outcomeOf('Night 1'), /^Rebooted, back after /u)
    await shows(first.outcomeOf('Night 2'), /Not back yet\.$/u)
    await before.close()
    await (served.kill ?? served.stop)()
    // It comes back while nobody looks.
    back(1)

    const again = await restart()
    const page = await openLocked(windows, again)
    await page.getByRole('button', { name: '1 action waiting for you' }).click()
    await page.getByRole('button', { name: /^Reboot 3 devices/u }).click()
    const { state, outcomeOf, press } = jobParts(page)
    await shows(
      state,
      /^Interrupted: 2 of 3 devices\. Muster ended, or the computer slept\. It continues only when you/u,
    )
    await shows(outcomeOf('Night 1'), /^Rebooted, back after /u)
    await shows(outcomeOf('Night 2'), /^Rebooted/u)
    await shows(outcomeOf('Night 3'), 'Not sent yet.')
    expect(rebootsSent(reference)).toBe(2)
    // Its tenant is locked after the start.
    await press('Continue')
    await page.getByText('This tenant is locked.').first().waitFor()
    await shows(state, /^Interrupted/u)
    await arm(page)
    await press('Continue')
    await shows(outcomeOf('Night 3'), /Not back yet\.$/u)
    back(2)
    await shows(state, /^Finished at /u)
    await shows(outcomeOf('Night 3'), /^Rebooted, back after /u)
    expect(rebootsSent(reference)).toBe(3)
  },
)
