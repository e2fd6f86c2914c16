import type { InventoryQuery, Sort } from '../../src-shared/model/inventory.ts'

/** One query of the table. A function as `filter` gives a new one in each run, as when someone types. */
export interface Case {
  name: string
  scope: string
  filter: string | ((run: number) => string)
  sort: Sort[]
  offset: number
}

export const pageRows = 60

const asc = (column: Sort['column']): Sort => ({ column, direction: 'asc' })
const desc = (column: Sort['column']): Sort => ({ column, direction: 'desc' })
const of = (name: string, over: Partial<Case>): Case => ({
  name,
  scope: 'all',
  filter: '',
  sort: [],
  offset: 0,
  ...over,
})

const tenant = 't:https%3A%2F%2Fbench.test/tenant-0'
const region = 'r:https%3A%2F%2Fbench.test/EU-1'
const site = 's:https%3A%2F%2Fbench.test/tenant-0/Berlin-0'
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Returns other two characters in every run, so that no answer is cached. */
const unseen = (run: number) => `${letters[run % 36]}${letters[(run * 7 + 3) % 36]}`

/** The forty queries, the most frequent of an operator first. */
export const cases: Case[] = [
  of('down, longest first', { filter: 'connected:no', sort: [asc('since')] }),
  of('down for long, shortest first', { filter: 'connected:no down:>2h', sort: [desc('since')] }),
  of('down by tenant, then since', { filter: 'connected:no', sort: [asc('tenant'), asc('since')] }),
  of('down in a tenant', { filter: 'connected:no', scope: tenant, sort: [asc('since')] }),
  of('offline in some sites, by site', { filter: 'status:offline site:Berlin*,"München Haus 3"', sort: [asc('site')] }),
  of('not detected for a day, by last detected', {
    filter: 'lastDetected:>1d -connected:no',
    sort: [desc('lastDetected')],
  }),
  of('connected by name', { filter: 'status:online', sort: [asc('name')] }),
  of('connected by name, the middle', { filter: 'status:online', sort: [asc('name')], offset: 45_000 }),
  of('all, unsorted', {}),
  of('all by name', { sort: [asc('name')] }),
  of('all by name, backwards', { sort: [desc('name')] }),
  of('all by name, the end', { sort: [asc('name')], offset: 99_900 }),
  of('all by status', { sort: [asc('status')] }),
  of('a model, not in a tenant, by status', { filter: 'model~studio -tenant:contoso', sort: [desc('status')] }),
  of('all by since', { sort: [asc('since')] }),
  of('all by model', { sort: [asc('hardwareModel')] }),
  of('all by model, backwards, the middle', { sort: [desc('hardwareModel')], offset: 50_000 }),
  of('all by site', { sort: [asc('site')] }),
  of('all by room', { sort: [asc('room')] }),
  of('all by tenant', { sort: [asc('tenant')] }),
  of('without a room, by region', { filter: 'room:none', sort: [asc('region')] }),
  of('all by last detected', { sort: [desc('lastDetected')] }),
  of('all by last configuration request', { sort: [desc('lastConfigRequestDate')] }),
  of('all by id', { sort: [asc('id')] }),
  of('not updated for minutes, by age', { filter: 'seen:>5m region:eu-1', sort: [asc('seenAt')] }),
  of('all by region, tenant, site, room', { sort: [asc('region'), asc('tenant'), asc('site'), asc('room')] }),
  of('all by status, model, last detected', { sort: [asc('status'), asc('hardwareModel'), desc('lastDetected')] }),
  of('all by model, site, backwards, name', { sort: [asc('hardwareModel'), desc('site'), asc('name')] }),
  of('a tenant by name', { scope: tenant, sort: [asc('name')] }),
  of('a site by room', { scope: site, sort: [asc('room')] }),
  of('a region by status', { scope: region, sort: [asc('status')] }),
  of('text of one word', { filter: 'berlin', sort: [asc('name')] }),
  of('text of two words', { filter: 'studio hamburg', sort: [asc('site')] }),
  of('text with accents', { filter: 'MÜNCHEN söhne', sort: [asc('name')] }),
  of('text that nothing matches', { filter: 'zanzibar', sort: [asc('name')] }),
  of('part of an id', { filter: 'id~a0f', sort: [asc('id')] }),
  of('text, down, a name and not a site', {
    filter: 'x50 connected:no name:*2 -site:"berlin hq"',
    sort: [asc('since')],
  }),
  of('text typed just now', { filter: unseen, sort: [asc('name')] }),
  of('text typed just now, in a tenant', { filter: unseen, scope: tenant, sort: [asc('since')] }),
  of('text typed just now, two words, by time', {
    filter: (run) => `${unseen(run)} ${unseen(run + 11)}`,
    sort: [desc('lastDetected')],
  }),
]

export function queryOf(one: Case, run: number): InventoryQuery {
  return { scope: one.scope, filter: typeof one.filter === 'string' ? one.filter : one.filter(run), sort: one.sort }
}
