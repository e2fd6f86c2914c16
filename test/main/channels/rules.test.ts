import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWorse, touches, wants, wantsTenants, worstOf } from '../../../src-main/channels/rules.ts'
import type { Incident, Place } from '../../../src-main/incidents/engine/incident.ts'
import { accountNode, regionNode, roomNode, siteNode, tenantKey, tenantNode } from '../../../src-main/inventory/keys.ts'
import { severity, type Severity } from '../../../src-shared/model/incidents.ts'

const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
type Where = Pick<Incident, 'scope' | 'about'>

const place = (kind: Place['kind'], id: string, onlyAccount?: string): Place => ({
  id,
  kind,
  name: id,
  placeless: false,
  ...(onlyAccount !== undefined && { onlyAccount }),
})
const [acme, beta] = [tenantKey('svc', 'ac:me/ö'), tenantKey('svc', 'beta')]
const region = place('region', regionNode('svc', 'EU'))
const tenant = place('tenant', tenantNode(acme))
const berlin = place('site', siteNode(acme, 'berlin'))
const room = place('room', roomNode(acme, 'berlin', 'a'))
const otherRoom = roomNode(acme, 'berlin', 'b')
const paris = siteNode(acme, 'paris')

const at = (path: Place[], about = [`${acme}/`]): Where => ({
  about,
  scope: { shape: 'node', path, where: { kind: 'none' }, context: [] },
})
const inRoom = at([room, berlin, tenant, region])
const inBerlin = at([berlin, tenant, region])
const inTenant = at([tenant, region])

describe('a place of a rule', () => {
  test('contains what is in it: everything, region, tenant, site, room', () => {
    for (const node of ['all', region.id, tenant.id, berlin.id, room.id])
      expect([node, touches(node, inRoom)]).toEqual([node, true])
  })

  test('is reached by an incident of a place that contains it', () => {
    expect([touches(room.id, inBerlin), touches(room.id, inTenant), touches(paris, inTenant)]).toEqual([
      true,
      true,
      true,
    ])
  })

  test('is not reached from beside it', () => {
    expect([touches(otherRoom, inRoom), touches(paris, inRoom), touches(paris, inBerlin)]).toEqual([
      false,
      false,
      false,
    ])
    expect([touches(tenantNode(beta), inRoom), touches(siteNode(beta, 'berlin'), inRoom)]).toEqual([false, false])
    expect(touches(regionNode('svc', 'US'), inRoom)).toBe(false)
  })

  test('of one service is not that of another with the same names', () => {
    const other = tenantKey('other', 'ac:me/ö')
    expect([touches(tenantNode(other), inRoom), touches(siteNode(other, 'berlin'), inRoom)]).toEqual([false, false])
  })

  test('may be an account, also where the tree leaves its level out', () => {
    const account = accountNode(acme, 'x')
    expect(touches(account, at([room, berlin, place('account', account), tenant, region]))).toBe(true)
    expect(touches(account, at([room, place('site', siteNode(acme, 'berlin'), account), tenant, region]))).toBe(true)
    expect(touches(account, at([room, place('site', siteNode(acme, 'berlin'), accountNode(acme, 'y')), tenant]))).toBe(
      false,
    )
    expect(touches(account, inTenant)).toBe(true)
  })

  test('of sites and rooms that are none finds the devices without one', () => {
    const none = at([place('room', roomNode(acme, 'berlin', null)), berlin, tenant])
    expect(touches(roomNode(acme, 'berlin', null), none)).toBe(true)
    expect(touches(roomNode(acme, null, null), none)).toBe(false)
  })

  test('is reached by an incident of several tenants if its tenant is one of these', () => {
    const several = at([region], [`${acme}/`, `${beta}/`])
    const gamma = tenantNode(tenantKey('svc', 'gamma'))
    expect([berlin.id, tenantNode(beta), gamma, 'all'].map((node) => touches(node, several))).toEqual([
      true,
      true,
      false,
      true,
    ])
  })

  test('is reached by an incident of the whole fleet if its tenant is in it', () => {
    const fleet = at([], [`${acme}/`])
    expect([room.id, tenant.id, tenantNode(beta)].map((node) => touches(node, fleet))).toEqual([true, true, false])
  })

  test('is not that of a tenant whose name begins alike', () => {
    const longer = at([tenant], [`${acme}x/`])
    expect([
      touches(berlin.id, longer),
      wantsTenants({ places: [{ node: berlin.id, name: '' }] }, [`${acme}x/`]),
    ]).toEqual([false, false])
  })
})

describe('severities', () => {
  const order: Severity[] = ['minor', 'major', 'critical']

  test('are worse in this order, and anything is worse than none', () => {
    const found = order.map((one) => [null, ...order].filter((other) => isWorse(one, other)))
    expect(found).toEqual([[null], [null, 'minor'], [null, 'minor', 'major']])
    expect([worstOf([]), worstOf(['minor', 'critical', 'major'])]).toEqual([null, 'critical'])
  })

  test('are wanted where they are chosen, and only with the place', () => {
    const places = [{ node: tenantNode(beta), name: 'Beta' }]
    const rule = { places: [], severities: ['critical' as const] }
    expect(wants(rule, { ...inRoom, severity: 'critical' })).toBe(true)
    expect(wants(rule, { ...inRoom, severity: 'major' })).toBe(false)
    expect(wants({ ...rule, places }, { ...inRoom, severity: 'critical' })).toBe(false)
  })

  test('a rule without places and with all of them wants everything', () => {
    const kind = fc.constantFrom<Place['kind'][]>('region', 'tenant', 'account', 'site', 'room')
    const path = fc.array(fc.record({ kind, id: fc.string(), name: fc.string(), placeless: fc.boolean() }))
    const incident = fc.record({ severity: fc.constantFrom(...severity.options), path, about: fc.array(fc.string()) })
    fc.assert(
      fc.property(incident, ({ path, about, ...one }) => {
        const given = { ...one, ...at(path, about) }
        expect(wants({ places: [], severities: [...severity.options] }, given)).toBe(true)
        expect(wants({ places: [{ node: 'all', name: '' }], severities: [...severity.options] }, given)).toBe(true)
        expect(wantsTenants({ places: [] }, about)).toBe(true)
      }),
      { seed },
    )
  })
})

test('lost monitoring is wanted of tenants of the rule’s places alone', () => {
  const rule = (node: string) => ({ places: [{ node, name: '' }] })
  const asked = [room.id, berlin.id, tenant.id, accountNode(acme, 'x'), tenantNode(beta), 'all'].map((node) =>
    wantsTenants(rule(node), [`${acme}/`]),
  )
  expect(asked).toEqual([true, true, true, true, false, true])
})
