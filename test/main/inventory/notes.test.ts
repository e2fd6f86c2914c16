import { beforeEach, expect, test } from 'vitest'
import { noNote, type NoteContent, tagsOf } from '../../../src-shared/model/notes.ts'
import { acme, connection, fact, key, pageOf, query, service } from './profile.ts'
import { useThread } from './thread.ts'

const thread = useThread()
beforeEach(() => read(1, ['a', 'b']))

const elsewhere = { site: { id: 's2', name: 'Paris' }, room: { id: 'r9', name: 'Room 9' } }
const read = (generation: number, ids: string[], place = {}) =>
  thread.calls.page(
    pageOf(
      ids.map((id) => fact(id, place)),
      { connection, generation, requestOrder: generation, at: generation * 1000 },
    ),
  )
const nodeOf = (kind: string, ...rest: string[]) =>
  `${kind}:https%3A%2F%2Fservice.test/acme${rest.map((each) => `/${each}`).join('')}`
const [device, room, site, tenant] = [`d:${key('a')}`, nodeOf('m', 's1', 'r1'), nodeOf('s', 's1'), nodeOf('t')]
const save = (node: string, over: Partial<NoteContent>, at = 5) =>
  thread.calls.saveNote({ node, at, ...noNote, ...over })
const found = (filter: string) =>
  thread.calls.rows({ query: query({ filter }), offset: 0, limit: 10, now: 0 }).rows.map(({ id }) => id)

test('a note of a device comes first, then those of its room, site and tenant', () => {
  for (const [node, text] of [
    [tenant, 'T'],
    [site, 'S'],
    [room, 'R'],
    [device, 'D'],
  ] as const)
    save(node, { text })
  expect(thread.calls.notesOf({ node: device })).toMatchObject({
    takes: true,
    own: { node: device, kind: 'device', name: 'Studio a', text: 'D', at: 5 },
    above: [
      { kind: 'room', name: 'Room 1', text: 'R' },
      { kind: 'site', name: 'Berlin', text: 'S' },
      { kind: 'tenant', name: 'Acme', text: 'T' },
    ],
  })
  expect(thread.calls.notesOf({ node: site })).toMatchObject({ own: { text: 'S' }, above: [{ text: 'T' }] })
  expect(thread.calls.notesOf({ node: `d:${key('b')}` })).toMatchObject({ own: null, above: [{}, {}, {}] })
})

test('a note has its last author, and a write without one has none', () => {
  const own = () => thread.calls.notesOf({ node: device }).own
  thread.calls.saveNote({ node: device, at: 5, by: 'Ann', ...noNote, text: 'D' })
  expect(own()).toMatchObject({ at: 5, by: 'Ann' })
  thread.calls.tag({ keys: [key('a')], add: ['VIP'], remove: [], at: 6, by: 'Bert' })
  expect(own()).toMatchObject({ text: 'D', tags: ['VIP'], at: 6, by: 'Bert' })
  expect(thread.store.journal.notes.all()).toMatchObject([{ note: { at: 6, by: 'Bert' } }])
  thread.calls.setTags({ devices: [{ key: key('a'), tags: [] }], at: 7 })
  expect(own()).not.toHaveProperty('by')
  expect(thread.store.journal.notes.all()[0]?.note).toEqual({ text: 'D', contact: '', tags: [], at: 7 })
})

test('each write tells what was there before, and an empty one removes the note', () => {
  expect(save(site, { text: 'one', tags: ['VIP'] }).before).toBeNull()
  expect(save(site, { text: 'two' }).before).toEqual({ text: 'one', contact: '', tags: ['VIP'] })
  expect(save(site, {}).before).toMatchObject({ text: 'two' })
  expect(thread.store.journal.notes.all()).toEqual([])
  expect(save(site, {}).before).toBeNull()
})

test('a note stays over a restart, a move, a new reading, and while its device is away', () => {
  save(device, { text: 'Ladder behind the door', tags: ['loan'] })
  read(2, ['a', 'b'], elsewhere)
  expect(found('tag:loan note~ladder site:Paris')).toEqual(['a'])
  thread.calls.finish({ service, tenant: acme.id, connection, generation: 3, at: 3000 })
  expect(found('tag:loan')).toEqual([])
  thread.reopen()
  expect(thread.store.journal.notes.all()).toMatchObject([{ node: device, note: { tags: ['loan'] } }])
  read(4, ['a'])
  expect(found('tag:loan')).toEqual(['a'])
})

test('a change names the rows that it changes: those of a place, and only the device of its own', () => {
  const names = ({ change }: ReturnType<typeof save>) => change.devices.map(({ id, tags }) => [id, tags])
  expect(names(save(device, { tags: ['one'] }))).toEqual([['a', ['one']]])
  expect(names(save(site, { tags: ['ONE', 'two'] }))).toEqual([
    ['b', ['ONE', 'two']],
    ['a', ['one', 'two']],
  ])
  const many = Array.from({ length: 300 }, (_, index) => `x${index}`)
  read(5, many)
  expect(save(site, { tags: ['three'] }).change).toMatchObject({ many: true, devices: [] })
  expect(found('tag:three -name~x')).toEqual(['a', 'b'])
})

test('a tag makes an offline device a spare, in any case, also that of its room', () => {
  thread.calls.page(
    pageOf([fact('a', { connected: false }), fact('b')], { connection, generation: 2, requestOrder: 2 }),
  )
  expect(found('spare:yes')).toEqual([])
  save(room, { tags: ['SPARE'] })
  expect(found('spare:yes')).toEqual(['a'])
  expect(
    thread.calls.locations({ keys: [key('a'), key('b')], paused: [] }).devices.map(({ isSpare }) => isSpare),
  ).toEqual([true, true])
  save(room, { tags: ['spares'] })
  expect(found('spare:yes')).toEqual([])
  save(device, { tags: ['Stock'] })
  expect(found('spare:yes')).toEqual(['a'])
  expect(thread.calls.locations({ keys: [key('b')], paused: [] }).devices[0]).not.toHaveProperty('isSpare')
})

test.each([
  ['a region', () => nodeOf('r').replace('acme', 'EU-1')],
  ['all tenants', () => 'all'],
  ['the devices without a room', () => nodeOf('m', 's1', '=')],
  ['a device that is not there', () => `d:${key('gone')}`],
])('%s takes no note', (_, node) => {
  read(3, ['c'], { room: null })
  expect(thread.calls.notesOf({ node: node() }).takes).toBe(false)
  expect(() => save(node(), { text: 'x' })).toThrow('takes no note')
  expect(thread.store.journal.notes.all()).toEqual([])
})

test('removing a connection erases its notes, in memory too; another tenant keeps its own', () => {
  thread.calls.tenants({ service, connection: 'other', tenants: [{ ...acme, id: 'beta', name: 'Beta' }], at: 0 })
  const beta = nodeOf('t').replace('acme', 'beta')
  for (const node of [device, room, site, tenant, beta]) save(node, { text: 'x' })
  thread.calls.forget({ connection })
  expect(thread.store.journal.notes.all().map(({ node }) => node)).toEqual([beta])
  expect([...thread.store.inventory.notes.keys()]).toEqual([beta])
})

test('a note that cannot be read is left out, and stays in the file', () => {
  save(site, { text: 'one' })
  thread.store.journal.notes.save(room, { text: 'x'.repeat(5000), contact: '', tags: [], at: 1 })
  thread.reopen()
  expect([...thread.store.inventory.notes.keys()]).toEqual([site])
  expect(thread.store.journal.tables().find(({ name }) => name === 'note')?.rows).toBe(2)
})

test('notes about devices: each once, and no more than asked for', () => {
  save(site, { text: 'S' })
  save(device, { text: 'D' })
  const about = (limit: number) =>
    thread.calls.notesAbout({ keys: [key('a'), key('gone'), key('b')], limit }).notes.map(({ text }) => text)
  expect(about(10)).toEqual(['D', 'S'])
  expect(about(1)).toEqual(['D'])
})

test('tags of a text: without space around, and each once in any case', () => {
  expect(tagsOf(' VIP,, second  floor ,vip,')).toEqual(['VIP', 'second floor'])
  expect(tagsOf('')).toEqual([])
})

const list = (at: number, accounts: string[], sites: Record<string, string>) =>
  thread.calls.places({
    service,
    connection,
    tenant: acme.id,
    places: {
      accounts: accounts.map((id) => ({ id, name: id })),
      sites: Object.entries(sites).map(([id, account]) => ({ id, name: id, account })),
      rooms: [],
    },
    requestOrder: at,
    at,
  })
const byTags = () =>
  thread.calls
    .rows({
      query: query({ sort: [{ column: 'tags', direction: 'asc' }] }),
      offset: 0,
      limit: 10,
      now: 0,
    })
    .rows.map(({ id, tags = [] }) => [id, ...tags])

test('a note of an account holds in its sites, also where it becomes the only one of its tenant', () => {
  list(10, ['a1', 'a2'], { s1: 'a1' })
  save(nodeOf('a', 'a1'), { tags: ['gold'] })
  expect(byTags()).toEqual([
    ['a', 'gold'],
    ['b', 'gold'],
  ])
  list(20, ['a1'], { s1: 'a1' })
  expect(byTags()).toEqual([
    ['a', 'gold'],
    ['b', 'gold'],
  ])
})

test('a device that moves, and a site in another account, are ordered by their new tags', () => {
  save(nodeOf('s', 's1'), { tags: ['Alpha'] })
  save(`d:${key('b')}`, { tags: ['Beta'] })
  expect(byTags().map(([id]) => id)).toEqual(['a', 'b'])
  read(2, ['a'], elsewhere)
  expect(byTags()).toEqual([['b', 'Beta', 'Alpha'], ['a']])
  list(10, ['a1', 'a2'], { s1: 'a1', s2: 'a1' })
  save(nodeOf('a', 'a2'), { tags: ['Aaa'] })
  expect(byTags().map(([id]) => id)).toEqual(['b', 'a'])
  list(20, ['a1', 'a2'], { s1: 'a1', s2: 'a2' })
  expect(byTags().map(([id]) => id)).toEqual(['a', 'b'])
})

test('a note on a place without devices is a change of the places', () => {
  list(10, ['a1', 'a2'], { s1: 'a1', s7: 'a1' })
  expect(save(nodeOf('s', 's7'), { text: 'x' }).change).toMatchObject({ structure: true, devices: [] })
})

test('free text finds notes, contacts and tags', () => {
  save(device, { text: 'Ladder', contact: 'Jane' })
  save(`d:${key('b')}`, { tags: ['Loaner'] })
  expect([found('ladder'), found('JANE'), found('loan'), found('-jane')]).toEqual([['a'], ['a'], ['b'], ['b']])
})

const tag = (ids: string[], add: string[], remove: string[] = [], at = 5) =>
  thread.calls.tag({ keys: ids.map((id) => key(id)), add, remove, at })
const ownTags = (id: string) => thread.store.inventory.notes.get(`d:${key(id)}`)?.tags ?? []

test('tags of several devices are added and removed in any case, and their notes stay', () => {
  save(device, { text: 'Ladder', tags: ['Loan', 'VIP'] })
  expect(tag(['a', 'b'], ['loan', 'spare'], ['vip'], 9).before).toEqual([
    { key: key('a'), tags: ['Loan', 'VIP'] },
    { key: key('b'), tags: [] },
  ])
  expect([ownTags('a'), ownTags('b')]).toEqual([
    ['Loan', 'spare'],
    ['loan', 'spare'],
  ])
  expect(thread.calls.notesOf({ node: device }).own).toMatchObject({ text: 'Ladder', at: 9 })
  thread.reopen()
  expect(found('tag:spare')).toEqual(['a', 'b'])
  expect(found('note~ladder')).toEqual(['a'])
})

test('what was there before puts the tags back, in their order, and leaves no empty note', () => {
  save(device, { tags: ['one', 'two', 'three'] })
  const { before } = tag(['a', 'b'], ['four'], ['one'])
  const { before: after } = thread.calls.setTags({ devices: before, at: 6 })
  expect(ownTags('a')).toEqual(['one', 'two', 'three'])
  expect(thread.store.journal.notes.all()).toHaveLength(1)
  expect(after).toEqual([
    { key: key('a'), tags: ['two', 'three', 'four'] },
    { key: key('b'), tags: ['four'] },
  ])
})

test('only what changes is written, and devices that are gone are left out', () => {
  save(device, { tags: ['one'] }, 3)
  const { before, change } = tag(['a', 'b', 'gone'], ['ONE'], ['never there'])
  expect(before).toEqual([{ key: key('b'), tags: [] }])
  expect(change.devices.map(({ id }) => id)).toEqual(['b'])
  expect(thread.calls.notesOf({ node: device }).own?.at).toBe(3)
  expect(thread.store.journal.notes.all()).toHaveLength(2)
})

test('a device that would have too many tags rejects all of them', () => {
  save(device, { tags: Array.from({ length: 20 }, (_, index) => `t${index}`) })
  expect(() => tag(['b', 'a'], ['one more'])).toThrow(/at most 20 tags; 1 would have more/u)
  expect(ownTags('b')).toEqual([])
  expect(tag(['a'], ['one more'], ['T3']).before).toHaveLength(1)
})

test('the tags of a selection are counted without those of places; too many devices have none', () => {
  save(device, { tags: ['Loan', 'b'] })
  save(`d:${key('b')}`, { tags: ['loan', 'a'] })
  save(site, { tags: ['site'] })
  expect(thread.calls.tagsOf({ of: { query: query({}) }, now: 0 })).toEqual({
    total: 2,
    keys: [key('a'), key('b')],
    tags: [
      { tag: 'Loan', count: 2 },
      { tag: 'a', count: 1 },
      { tag: 'b', count: 1 },
    ],
  })
  expect(thread.calls.tagsOf({ of: { keys: [key('b'), key('gone')] }, now: 0 })).toMatchObject({
    total: 1,
    tags: [{}, {}],
  })
  read(
    9,
    Array.from({ length: 5001 }, (_, index) => `x${index}`),
  )
  expect(thread.calls.tagsOf({ of: { query: query({}) }, now: 0 })).toEqual({ total: 5003, keys: [], tags: [] })
})
