import { expect, test } from 'vitest'
import {
  armedOf,
  noneReason,
  reasonAgainst,
  tenantOfDevice,
  tenantOfNode,
  tenantsOf,
} from '../../../src-renderer/actions/offers.ts'
import { nodeOfSite, placeInNode, placesIn } from '../../../src-renderer/actions/places/place-ids.ts'
import { accountNode, roomNode, siteNode, tenantKey, tenantNode } from '../../../src-main/inventory/keys.ts'
import { connection, now } from '../support/samples.ts'
import { actionsState, tenant } from './samples.ts'

const key = tenantKey('https://a.example', 'Acme / 1')

test('the tenant of a node or a device is found in its id, and a region has none', () => {
  expect(tenantOfNode(tenantNode(key))).toBe(key)
  expect(tenantOfNode(siteNode(key, 'a/b'))).toBe(key)
  expect(tenantOfNode(roomNode(key, null, null))).toBe(key)
  expect(tenantOfNode('r:svc/EU-1')).toBeNull()
  expect(tenantOfNode('all')).toBeNull()
  expect(tenantOfDevice(`${key}/7`)).toBe(key)
})

test('devices of several tenants name each tenant once; a query of all tenants names none', () => {
  expect(tenantsOf({ keys: ['s/a/1', 's/b/1', 's/a/2'] })).toEqual(['s/a', 's/b'])
  expect(tenantsOf({ query: { scope: 'all', filter: '', sort: [] } })).toBeNull()
})

test('the service’s id of a site and a room is read from the node, also with reserved characters', () => {
  expect(placeInNode(siteNode(key, 'a/b=%'))).toEqual({ kind: 'site', tenant: key, id: 'a/b=%', site: null })
  expect(placeInNode(roomNode(key, 's 1', 'r:1'))).toEqual({ kind: 'room', tenant: key, id: 'r:1', site: 's 1' })
  expect(placeInNode(accountNode(key, 'a 1'))).toEqual({ kind: 'account', tenant: key, id: 'a 1', site: null })
  expect(placeInNode(siteNode(key, null))).toBeNull()
  expect(placeInNode(roomNode(key, 's', null))).toBeNull()
  expect(placeInNode('s:x/y/%E0%A4%A')).toBeNull()
})

test.each(['7', 'a/b=%', 'Büro 1', '='])('the node of the site %j is the core’s', (id) =>
  expect(nodeOfSite(key, id)).toBe(siteNode(key, id)),
)

test('only places of the tenant are offered', () => {
  const site = (of: string) => ({ id: siteNode(of, '1'), kind: 'site' as const, name: 'Berlin', above: [] })
  expect(placesIn(key, [site(key), site('other/tenant')])).toEqual([
    { node: siteNode(key, '1'), kind: 'site', id: '1', name: 'Berlin', site: null },
  ])
})

test('each reason against an action is said in words', () => {
  const reason = (state: Parameters<typeof reasonAgainst>[0]) => reasonAgainst(state, 'reboot', ['s/t'], [connection])
  expect(reason(actionsState())).toBe('')
  expect(reason(null)).toBe('Not known yet: Muster’s core has not answered.')
  expect(reason(actionsState({ off: 'off' }))).toBe('Actions are turned off in the settings.')
  expect(reason(actionsState({ off: 'managed' }))).toBe('Actions are turned off by your organisation.')
  expect(reason(actionsState({ tenants: [] }))).toBe('Not known yet: the service has not said what it offers.')
  expect(reason(actionsState({ tenants: [{ ...tenant, offered: ['rename'] }] }))).toBe('The service does not offer it.')
  const unread = actionsState({ tenants: [{ ...tenant, offered: [], unknown: ['reboot'] }] })
  expect(reason(unread)).toBe('Not known yet: the service has not said what it offers.')
  const elsewhere = actionsState({ tenants: [{ ...tenant, offered: [], unknown: ['reboot'], readBy: 'Ann' }] })
  expect(reason(elsewhere)).toBe(
    'This Muster has no client secret of the connection. Ann’s Muster reads it: act on its devices there.',
  )
  const forbidden = actionsState({ tenants: [{ ...tenant, offered: ['rename'], role: ['reboot'] }] })
  expect(reason(forbidden)).toBe('The role of the credentials does not allow it.')
  const told = { ...connection, access: { name: '', roles: ['user'], scope: {}, readAt: now } }
  expect(reasonAgainst(forbidden, 'reboot', ['s/t'], [told])).toBe('The role Guest (user) does not allow it.')
  expect(reasonAgainst(actionsState(), 'reboot', null, [{ ...connection, paused: true }])).toBe(
    'The connection is paused.',
  )
})

test('an action is offered when one of several tenants can take it', () => {
  const other = { ...tenant, tenant: 's/u', offered: [] }
  const state = actionsState({ tenants: [tenant, other] })
  expect(reasonAgainst(state, 'move', null, [connection])).toBe('')
  expect(reasonAgainst(state, 'move', ['s/u'], [connection])).toBe('The service does not offer it.')
})

test('a tenant that cannot be acted on says why, and one that can is silent', () => {
  expect(noneReason(tenant)).toBe('')
  expect(noneReason({ ...tenant, offered: [], unknown: ['reboot'] })).toBe('Not known yet')
  expect(noneReason({ ...tenant, offered: [], readBy: 'Ann' })).toBe('No client secret here, read by Ann’s Muster')
  expect(noneReason({ ...tenant, offered: [] })).toBe('The service offers no actions')
  expect(noneReason({ ...tenant, offered: [], role: ['reboot'] })).toBe('Not allowed for the role')
})

test('of armed tenants the one that locks first is last', () => {
  const armed = (name: string, armedUntil: number | null) => ({ ...tenant, tenant: name, armedUntil })
  const state = actionsState({ tenants: [armed('a', now + 1), armed('b', null), armed('c', now + 2)] })
  expect(armedOf(state).map((each) => each.tenant)).toEqual(['c', 'a'])
})
