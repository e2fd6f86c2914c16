import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, only, open, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

describe('severity', () => {
  test('a device alone is minor, a room major, a site critical', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(2 * minute)
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    expect(open(it).map((one) => [titleOf(one), one.severity])).toEqual([
      ['Studio rome-a-1 is offline', 'minor'],
      ['3 devices offline in Room a', 'major'],
      ['12 devices offline in Berlin', 'critical'],
    ])
  })

  test('a site is major when less than half of it is down, and critical from half on', async () => {
    const it = await world()
    it.policies.nodes = new Map([['s:test/acme/rome', { siteDownPercent: 20 }]])
    await it.drop('rome-a-1', 'rome-a-2', 'rome-a-3', 'rome-b-1', 'rome-b-2', 'rome-b-3')
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({
      scope: { shape: 'node', where: { kind: 'place', name: 'Rome' } },
      severity: 'major',
    })
    await it.drop('rome-a-4', 'rome-a-5', 'rome-b-4', 'rome-b-5')
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ extent: { down: 10 }, severity: 'critical' })
  })

  test('a device on the watch list is critical, and so is one in a watched room', async () => {
    const it = await world({ watched: [keyOf('acme', 'rome-a-1'), 'm:test/beta/york/a'] })
    await it.drop('rome-a-1', 'york-a-1')
    await it.clock.advance(2 * minute)
    expect(open(it).map(({ severity, extent }) => [severity, extent.watched])).toEqual([
      ['critical', 1],
      ['critical', 1],
    ])
  })
})

describe('watched devices and muted models', () => {
  test('a device of a muted model that is watched while it is down is notified', async () => {
    const it = await world({ mutedModels: ['X50'] })
    await it.drop('rome-a-1', 'york-a-1')
    await it.clock.advance(10 * minute)
    expect([it.lines(), open(it)]).toEqual([[], []])
    it.settings.watched = [keyOf('acme', 'rome-a-1')]
    it.alerts().recheck()
    await it.clock.advance(minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
    await it.back('rome-a-1', 'york-a-1')
    await it.clock.advance(5 * minute)
    expect([it.titles(), it.alerts().state().drops.size]).toEqual([['Studio rome-a-1 is back'], 0])
  })

  test('a muted model is no incident, unless the device is watched', async () => {
    const it = await world({ mutedModels: ['X50'], watched: [keyOf('acme', 'rome-a-1')] })
    await it.drop('rome-a-1', ...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
    expect(open(it)).toHaveLength(1)
  })
})

describe('spares', () => {
  test('an incident of spares only is minor; a spare beside others does not count', async () => {
    const it = await world()
    const tag = (node: string) => it.calls().saveNote({ node, at: 1, text: '', contact: '', tags: ['Spare'] })
    tag('s:test/acme/berlin')
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ severity: 'minor', extent: { down: 12, spares: 12 } })
    it.calls().saveNote({ node: 's:test/acme/berlin', at: 2, text: '', contact: '', tags: [] })
    tag(`d:${keyOf('acme', 'berlin-a-1')}`)
    it.alerts().recheck()
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ severity: 'critical', extent: { down: 12, spares: 1 } })
    it.calls().saveNote({ node: `d:${keyOf('acme', 'berlin-a-1')}`, at: 3, text: '', contact: '', tags: [] })
    it.alerts().recheck()
    await it.clock.advance(2 * minute)
    expect(only(it).extent).not.toHaveProperty('spares')
  })

  test('half of a site that are spares leave its incident major', async () => {
    const it = await world()
    it.policies.nodes = new Map([['s:test/acme/rome', { siteDownPercent: 20 }]])
    for (const id of ['rome-a-1', 'rome-a-2', 'rome-a-3', 'rome-a-4'])
      it.calls().saveNote({ node: `d:${keyOf('acme', id)}`, at: 1, text: '', contact: '', tags: ['stock'] })
    await it.drop(...['a', 'b'].flatMap((room) => [1, 2, 3, 4, 5].map((n) => `rome-${room}-${n}`)))
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ severity: 'major', extent: { down: 10, spares: 4 } })
  })
})
