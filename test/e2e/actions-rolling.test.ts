import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { armAll, askOfFiltered, jobParts, openLocked, rebootsSent, showJob } from '../support/actions-window.ts'
import { acceleratedClock } from '../support/fleet.ts'
import { screenOf, whenOpen } from '../support/incident-screen.ts'
import { shows, textOf } from '../support/page-parts.ts'
import { serveFleet, useWindows } from '../support/window.ts'

const windows = useWindows()

/** A fleet whose first devices are online, in no call, and called "Roll 1", "Roll 2", ... Returns their ids. */
async function setup(count: number, clock?: ReturnType<typeof acceleratedClock>) {
  const ids: string[] = []
  const time = clock === undefined ? {} : { now: clock.now }
  const { reference, served } = await serveFleet(
    windows.leftovers,
    { devices: 20, tenants: 1, reboots: { seconds: [5, 10] }, ...time },
    {
      ...(clock !== undefined && { clock }),
      prepare(world) {
        const free = world
          .devices()
          .filter(({ callStatus, connected }) => connected === true && callStatus !== 'IN_CALL')
        for (const [index, { id }] of free.slice(0, count).entries()) {
          world.renameDevice(id, `Roll ${index + 1}`)
          ids.push(id)
        }
      },
    },
  )
  await served.muster.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 0 })
  return { reference, served, ids }
}

/** Starts a reboot of the devices called "Roll ...", in batches. Returns the parts of its job. */
async function startRolling(page: Page, devices: number, plan: { batch: number; stopAfter: number }) {
  const sheet = await askOfFiltered(page, { filter: 'Roll', count: devices, action: 'Reboot…' })
  await shows(sheet.getByRole('status'), new RegExp(`^${devices} devices ready\\.`, 'u'))
  await sheet.getByText('In batches').click()
  await sheet.getByRole('textbox', { name: /^Batches of/u }).fill(String(plan.batch))
  await sheet.getByRole('textbox', { name: /^Wait at most/u }).fill('2')
  await sheet.getByRole('textbox', { name: 'Devices not back that stop the action' }).fill(String(plan.stopAfter))
  await sheet.getByText('A device that is not back after 2 minutes becomes an incident.').waitFor()
  await sheet.getByRole('button', { name: `Reboot ${devices} devices` }).click()
  await showJob(page)
  return jobParts(page)
}

test(
  'a rolling reboot stops after a device that is not back, and the rest is sent again',
  { timeout: 120_000 },
  async () => {
    // Minutes pass in seconds. Electron's own runtime takes no clock.
    const { reference, served, ids } = await setup(6, acceleratedClock(12))
    const [first = '', refused = '', lost = '', ...others] = ids
    const { world } = reference
    reference.setRebootOutcome(refused, 'refused')
    reference.setRebootOutcome(lost, 'lost')
    const page = await openLocked(windows, served)
    await armAll(served.muster)
    const { state, outcomeOf, press } = await startRolling(page, 6, { batch: 3, stopAfter: 1 })
    await shows(outcomeOf('Roll 1'), /^Rebooted, back after /u)
    await shows(outcomeOf('Roll 2'), /^Rejected by the service: .*software update/u)
    await shows(outcomeOf('Roll 3'), /^Sent at .+ Not back yet\.$/u)
    await shows(outcomeOf('Roll 4'), 'Not sent yet.')
    // It is down, and expected to be.
    expect(world.device(lost)?.connected).toBe(false)
    const list = (of: 'open' | 'closed') =>
      served.muster.call('incidents.list', { state: of, text: '', offset: 0, limit: 10 })
    expect((await list('open')).total).toBe(0)
    await shows(state, /^Stopped at /u, 60_000)
    await shows(outcomeOf('Roll 3'), /^Sent at .+, not back\./u)
    for (const name of ['Roll 4', 'Roll 5', 'Roll 6']) await shows(outcomeOf(name), 'Not sent.')
    expect(rebootsSent(reference)).toBe(3)
    expect(others.map((id) => world.device(id)?.connected)).toEqual([true, true, true])

    await whenOpen(served.muster, 1)
    expect((await list('closed')).total).toBe(0)
    const { rail, rows, pane } = screenOf(page)
    await rail.click()
    await rows.first().click()
    await shows(pane.getByRole('heading', { level: 2 }), /Roll 3/u)
    await pane
      .getByText(/Rebooted .+ by Muster, not back for 2 min/u)
      .first()
      .waitFor()
    await pane.getByRole('button', { name: /^Reboot 6 devices/u }).click()

    for (const id of [refused, lost]) reference.setRebootOutcome(id, null)
    await armAll(served.muster)
    await press('Only what failed…')
    const again = page.getByRole('dialog', { name: 'Reboot 5 devices again' })
    await shows(again.getByRole('list', { name: 'Left out' }), '1 left out: offline')
    await again.getByRole('button', { name: 'Reboot 4 devices' }).click()
    const next = jobParts(page)
    await showJob(page)
    await shows(next.state, /^Finished at /u, 60_000)
    expect(rebootsSent(reference)).toBe(7)
    await shows(next.outcomeOf('Roll 3'), 'Not sent: offline.')
    await shows(next.outcomeOf('Roll 2'), /^Rebooted/u)
    expect(world.device(first)?.connected).toBe(true)
    expect(await textOf(next.detail.getByRole('group', { name: 'Outcomes' }))).toBe('Not sent 1 Done 4')
    expect((await list('open')).total).toBe(1)
  },
)

test('a running reboot is paused, continued and stopped; what was sent gets its outcome', async () => {
  const { reference, served, ids } = await setup(4)
  // They come back when the test says so.
  for (const id of ids) reference.setRebootOutcome(id, 'lost')
  const [one = '', two = ''] = ids
  const page = await openLocked(windows, served)
  await armAll(served.muster)
  const { state, outcomeOf, press, detail } = await startRolling(page, 4, { batch: 1, stopAfter: 4 })
  await shows(outcomeOf('Roll 1'), /Not back yet\.$/u)
  await shows(state, 'Running: 0 of 4 devices.')
  await press('Pause')
  await shows(state, 'Paused: 0 of 4 devices.')
  await page.getByRole('button', { name: '1 action waiting for you' }).waitFor()
  reference.world.setConnected(one, true)
  await shows(state, 'Paused: 1 of 4 devices.')
  await shows(outcomeOf('Roll 1'), /^Rebooted, back after /u)
  await shows(outcomeOf('Roll 2'), 'Not sent yet.')
  expect(rebootsSent(reference)).toBe(1)
  await press('Continue')
  await shows(outcomeOf('Roll 2'), /Not back yet\.$/u)
  expect(rebootsSent(reference)).toBe(2)
  await page.getByRole('button', { name: '1 action running' }).waitFor()
  await press('Stop')
  await shows(state, 'Stopped.')
  await shows(outcomeOf('Roll 3'), 'Not sent.')
  await shows(outcomeOf('Roll 2'), /Not back yet\.$/u)
  reference.world.setConnected(two, true)
  await shows(state, /^Stopped at /u)
  await shows(outcomeOf('Roll 2'), /^Rebooted, back after /u)
  expect(rebootsSent(reference)).toBe(2)
  // Only those with one outcome are shown, and offered again.
  await detail.getByRole('button', { name: /^Not sent/u }).click()
  await expect.poll(() => outcomeOf('Roll 1').count()).toBe(0)
  await press('Only not sent…')
  await page.getByRole('dialog', { name: 'Reboot 2 devices again' }).getByRole('button', { name: 'Cancel' }).click()
})

test('an incident’s devices that are back are rebooted from it, and the job stands in it', async () => {
  const { reference, served } = await serveFleet(
    windows.leftovers,
    { devices: 40, tenants: 1, reboots: { seconds: [1, 2] } },
    {
      prepare(world) {
        const tenantId = world.tenants()[0]?.id ?? ''
        const siteId = world.addSite(tenantId, 'Harbour').id
        for (let at = 1; at <= 6; at += 1)
          world.addDevice({ tenantId, siteId, roomId: null, name: `Quay ${at}`, connected: true })
      },
    },
  )
  await served.muster.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 1 })
  const ids = reference.world
    .devices()
    .filter(({ site }) => site?.name === 'Harbour')
    .map(({ id }) => id)
  const page = await openLocked(windows, served)
  for (const id of ids) reference.world.setConnected(id, false)
  await whenOpen(served.muster, 1)
  for (const id of ids.slice(0, 3)) reference.world.setConnected(id, true)
  const { rail, rows, pane } = screenOf(page)
  await rail.click()
  await rows.first().click()
  await shows(pane.getByRole('heading', { level: 2 }), /Harbour/u)
  await pane.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Reboot…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Reboot 6 devices: Harbour' })
  await armAll(served.muster)
  await shows(sheet.getByRole('list', { name: 'Left out' }), '3 left out: offline')
  await sheet.getByRole('button', { name: 'Reboot 3 devices' }).click()
  const line = pane.getByRole('button', { name: /^Reboot 6 devices/u })
  await shows(line, /Finished: 3 not sent, 3 done$/u, 30_000)
  await pane.getByRole('heading', { name: 'Actions on its devices' }).waitFor()
  expect(rebootsSent(reference)).toBe(3)
  await whenOpen(served.muster, 1)
  await line.click()
  const { outcomeOf } = jobParts(page)
  await shows(outcomeOf('Quay 1'), /^Rebooted, back after |^Not sent: offline\.$/u)
})
