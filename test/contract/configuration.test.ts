import { afterEach, describe, expect, test } from 'vitest'
import { settingsOf } from '../../src-service/world/configuration.ts'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  whenRead,
} from '../support/fleet.ts'
import { leaksBelow, leaksIn } from '../support/leaks.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function open(options: Parameters<typeof service>[1] = {}) {
  const reference = await service(leftovers, { devices: 40, tenants: 2, ...options })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const { rows } = await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 100 })
  const row = rows.find(({ site }) => site !== null)
  if (row === undefined) throw new Error('no device has a site')
  const device = reference.world.device(row.id) ?? reference.world.find(({ name }) => name === row.name)
  return { reference, profile, muster, connection, row, device: row.key, known: device }
}

describe('a service that has them', () => {
  test('settings are named without a value, and one is read when it is asked for', async () => {
    const { reference, muster, device, known } = await open()
    const offered = await muster.call('configuration.offered', { device })
    expect(offered).toMatchObject({ settings: { offered: true }, calls: { offered: true }, chart: { offered: true } })
    expect(offered.calls.points).toBeGreaterThan(offered.chart.points)
    const sent = () => reference.operations().filter(({ query }) => query.includes('currentValue')).length
    const { settings, failed } = await muster.call('configuration.settings', { device })
    expect(failed).toEqual([])
    expect(settings.map(({ name }) => name).toSorted()).toEqual(
      settingsOf(known)
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(JSON.stringify(settings)).not.toContain('value')
    expect(sent()).toBe(0)
    for (const { name, value } of settingsOf(known)) {
      const { policy } = settings.find((each) => each.name === name) ?? { policy: '' }
      expect(await muster.call('configuration.value', { device, policy, name })).toEqual({ value })
    }
    expect(sent()).toBe(settings.length)
  })

  test('a value lies in no file of the profile, in no log and in no bundle', async () => {
    const { profile, muster, device, known } = await open()
    const { settings } = await muster.call('configuration.settings', { device })
    const passwords = settingsOf(known).filter(({ name }) => /password|key|community/iu.test(name))
    expect(passwords.length).toBeGreaterThan(2)
    for (const { name } of passwords) {
      const { policy } = settings.find((each) => each.name === name) ?? { policy: '' }
      await muster.call('configuration.value', { device, policy, name })
    }
    const secrets = Object.fromEntries(passwords.map(({ name, value }) => [name, value]))
    const { files } = await muster.call('support.preview', { pseudonyms: false, names: true, window: 'a test' })
    expect(leaksIn('the bundle', JSON.stringify(files), secrets)).toEqual([])
    expect(leaksIn('the log', muster.log.join('\n'), secrets)).toEqual([])
    await muster.stop()
    expect(leaksBelow(profile, secrets).leaks).toEqual([])
  })

  test('the calls of the device are found among those of its tenant, page by page', async () => {
    const { muster, device } = await open({ devices: 60, tenants: 1 })
    const found: unknown[] = []
    let [after, read, pages]: [string | null, number, number] = [null, 0, 0]
    do {
      const page: CallOutput<'configuration.calls'> = await muster.call('configuration.calls', {
        device,
        days: 31,
        after,
      })
      found.push(...page.records)
      ;[after, read, pages] = [page.next, read + page.read, pages + 1]
    } while (after !== null && pages < 20)
    expect(pages).toBeGreaterThan(1)
    expect(read).toBeGreaterThan(found.length)
    expect(found.every((each) => JSON.stringify(each).includes('"startTime":1'))).toBe(true)
  })

  test('a chart has a point a day, up to today', async () => {
    const { muster, device } = await open()
    const { series, text } = await muster.call('configuration.chart', { device, topic: 'deviceUptime', span: 'WEEK' })
    expect([series.length, series[0]?.points.length, series[0]?.unit, text]).toEqual([1, 7, 'percent', null])
    await expect(muster.call('configuration.chart', { device, topic: 'nothing', span: 'WEEK' })).rejects.toMatchObject({
      fault: { detail: expect.stringContaining('no topic') },
    })
  })
})

const everyRead = (device: string) =>
  [
    ['configuration.settings', { device }],
    ['configuration.calls', { device, days: 7, after: null }],
    ['configuration.chart', { device, topic: 'deviceUptime', span: 'WEEK' }],
  ] as const

describe('a service that does not answer them', () => {
  test('a role that forbids them is the reason', async () => {
    const { muster, device } = await open({ role: 'device_user' })
    for (const [name, input] of everyRead(device))
      await expect(muster.call(name, input)).rejects.toMatchObject({ fault: { kind: 'forbidden' } })
  })

  test.each(['none', 'other-names'] as const)('with insights=%s they are not offered', async (insights) => {
    const { muster, device } = await open({ profile: 'contrary', contrary: { insights } })
    expect(await muster.call('configuration.offered', { device })).toMatchObject({
      settings: { offered: false },
      calls: { offered: false },
      chart: { offered: false },
    })
  })

  test.each(['errors', 'null'] as const)('with insights=%s a press says so', async (insights) => {
    const { muster, device } = await open({ profile: 'contrary', contrary: { insights } })
    for (const [name, input] of everyRead(device)) await expect(muster.call(name, input)).rejects.toBeDefined()
  })

  test('where the schema is told to nobody, it is not known, and a press tries', async () => {
    const { muster, device } = await open({ profile: 'contrary', contrary: { introspection: false } })
    expect(await muster.call('configuration.offered', { device })).toMatchObject({ settings: { offered: null } })
    const { settings } = await muster.call('configuration.settings', { device })
    expect(settings.length).toBeGreaterThan(5)
    const { muster: other, device: minimal } = await open({ profile: 'minimal' })
    await expect(other.call('configuration.settings', { device: minimal })).rejects.toMatchObject({
      fault: { kind: 'query' },
    })
  })

  test('ids of another type are learned from the rejection', async () => {
    const { muster, device } = await open({ profile: 'contrary', contrary: { idTypes: 'swapped' } })
    for (const [name, input] of everyRead(device)) expect(await muster.call(name, input)).toBeDefined()
  })
})
