import { afterEach, describe, expect, test } from 'vitest'
import type { ServiceOptions } from '../../src-service/service.ts'
import { calls } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { connectionTo, createLeftovers, openConsole, service, temporaryProfile, whenRead } from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const hour = 3_600_000

describe.each<[string, ServiceOptions]>([
  ['the service of the specification', {}],
  [
    'a service that tells no site, no room and no schema',
    {
      profile: 'contrary',
      contrary: { missingFields: ['site', 'room'], introspection: false },
    },
  ],
])('%s', (_name, options) => {
  test('a report has every device, its observed minutes, and no online time that nobody saw', async () => {
    const reference = await service(leftovers, { devices: 80, tenants: 3, life: false, ...options })
    const muster = await openConsole(leftovers, temporaryProfile(leftovers))
    await muster.call('connections.save', connectionTo(reference))
    await whenRead(muster)
    const now = Date.now()
    const asked = { place: 'all', from: now - 24 * hour, until: now + hour, zone: 'Europe/Berlin', hours: null }
    const report = await muster.call('reports.availability', asked)
    expect(calls['reports.availability'].output.safeParse(report).success).toBe(true)
    const { all } = report
    expect(all.devices).toBe(80)
    expect(report.until).toBeLessThanOrEqual(now + 60_000)
    expect(all.counted).toBe(80 * (report.until - report.from))
    // It has been watched for seconds only.
    expect(all.up + all.down).toBeLessThan(80 * 10 * 60_000)
    expect(report.below.reduce((sum, { devices }) => sum + devices, 0)).toBe(80)
    const { text, next } = await muster.call('reports.csv', { ...asked, until: report.until, offset: 0 })
    expect(text.trim().split('\r\n')).toHaveLength(81)
    expect(next).toBeNull()
    for (const { id } of report.below) {
      const one = await muster.call('reports.availability', { ...asked, place: id })
      expect(one.path.at(-1)?.id).toBe(id)
      expect(one.below.reduce((sum, { devices }) => sum + devices, 0)).toBe(one.all.devices)
    }
    for (const wrong of [{ place: 't:gone' }, { from: now + 2 * hour }, { until: now - 48 * hour }, { from: 0 }])
      await expect(muster.call('reports.availability', { ...asked, ...wrong })).rejects.toThrow(FaultError)
  })
})
