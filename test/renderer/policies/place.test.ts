import { expect, test } from 'vitest'
import { onlyAccountOf, placeOf, zoneOf } from '../../../src-renderer/policies/place/place.ts'

const berlin = 'Europe/Berlin'

test("a tenant's only account is between a site and the tenant, although the tree leaves it out", () => {
  const above = [
    { id: 't:s/x', kind: 'tenant' as const, name: 'Acme' },
    { id: 'r:s/EU', kind: 'region' as const, name: 'EU' },
  ]
  const site = placeOf({ id: 's:s/x/b', kind: 'site', name: 'Berlin', onlyAccount: 'a:s/x/n', above })
  expect(site.path).toEqual(['s:s/x/b', 'a:s/x/n', 't:s/x', 'all'])
  const zones = [{ node: 'a:s/x/n', nodeName: 'North', zone: berlin }]
  const configured = { ownZone: 'UTC', windows: [], zones, thresholds: [], places: [] }
  expect(zoneOf(site, configured)).toEqual({ zone: berlin, from: 'a:s/x/n' })
  expect(zoneOf(onlyAccountOf('a:s/x/n', 'North'), configured)).toEqual({ zone: berlin, from: 'a:s/x/n' })
})
