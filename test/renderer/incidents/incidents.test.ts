import { describe, expect, test } from 'vitest'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { listKey } from '../../../src-renderer/incidents/actions/keys.ts'
import { settle } from '../../support/clock.ts'
import { incidentOf, night } from '../support/incident-stub.ts'
import { appState } from '../support/pipe-stub.ts'
import { start, type ListAsk } from '../support/incident-core.ts'

describe('the list', () => {
  test('it has its counts, and is read again when the core reports a change', async () => {
    const { incidents, fleet, change, row } = await start([incidentOf('a'), incidentOf('b')])
    expect([row(0), row(1), incidents.counts.get()]).toEqual(['a', 'b', { open: 2, acknowledged: 0, closed: 0 }])
    fleet.open = [incidentOf('new'), ...fleet.open]
    await change()
    expect([row(0), row(1), incidents.counts.get()?.open]).toEqual(['new', 'a', 3])
  })

  test('the cursor follows its incident, and goes to the next one when that leaves', async () => {
    const { incidents, fleet, change } = await start([incidentOf('a'), incidentOf('b'), incidentOf('c')])
    incidents.cursor.to(1)
    fleet.open = [incidentOf('new'), ...fleet.open]
    await change()
    expect(incidents.cursor.state.get()).toMatchObject({ index: 2, id: 'b' })
    fleet.open = fleet.open.filter(({ id }) => id !== 'b')
    await change()
    expect(incidents.cursor.state.get()).toMatchObject({ index: 2, id: 'c' })
    fleet.open = [incidentOf('new')]
    await change()
    expect(incidents.cursor.state.get()).toMatchObject({ index: 0, id: 'new' })
    fleet.open = []
    await change()
    expect(incidents.cursor.state.get()).toMatchObject({ index: -1, id: null })
  })

  test('the cursor goes to a restored incident, unless it was moved by then', async () => {
    const { incidents, fleet, change } = await start([incidentOf('a'), incidentOf('b'), incidentOf('c')])
    const leaves = async (open: Incident[]) => {
      fleet.open = open
      await change()
    }
    incidents.cursor.to(1)
    await leaves([incidentOf('a'), incidentOf('c')])
    incidents.cursor.expect('b')
    await leaves([incidentOf('a'), incidentOf('b'), incidentOf('c')])
    expect(incidents.cursor.state.get()).toMatchObject({ index: 1, id: 'b' })
    await leaves([incidentOf('a'), incidentOf('c')])
    incidents.cursor.expect('b')
    incidents.cursor.to(0)
    await leaves([incidentOf('a'), incidentOf('b'), incidentOf('c')])
    expect(incidents.cursor.state.get()).toMatchObject({ index: 0, id: 'a' })
  })

  test('when several leave at once, the cursor goes to the one that followed them', async () => {
    const { incidents, fleet, change } = await start(['a', 'b', 'c', 'd', 'e'].map((id) => incidentOf(id)))
    incidents.cursor.to(2)
    fleet.open = [incidentOf('d'), incidentOf('e')]
    await change()
    expect(incidents.cursor.state.get()).toMatchObject({ index: 0, id: 'd' })
  })

  test('another list and another text start anew, without the selection', async () => {
    const { incidents, fleet, asked, row } = await start([incidentOf('a'), incidentOf('b')])
    fleet.closed = [incidentOf('old', { closedAt: night })]
    incidents.cursor.to(1)
    incidents.selection.toggle(0)
    incidents.ask({ state: 'closed', text: 'old' })
    await settle()
    expect([row(0), incidents.cursor.state.get().id, incidents.selection.state.get().size]).toEqual(['old', null, 0])
    expect(asked.findLast(([name]) => name === 'incidents.list')?.[1]).toEqual({
      state: 'closed',
      text: 'old',
      offset: 0,
      limit: 100,
    })
  })
})

describe('keys act on the incident that the detail shows', () => {
  const opened = async () => {
    const it = await start(['a', 'b', 'c'].map((id) => incidentOf(id)))
    it.incidents.cursor.to(0)
    it.incidents.detail.open('a')
    await settle()
    it.fleet.open = [incidentOf('b'), incidentOf('c')]
    it.fleet.acknowledged = [incidentOf('a', { acknowledged: { at: night, reason: 'On it' } })]
    await it.change()
    return it
  }
  const about = ({ incidents }: Awaited<ReturnType<typeof opened>>) => incidents.about(false).map(({ id }) => id)

  test('an acknowledged one that is still shown stays the current one, and no row is', async () => {
    const it = await opened()
    expect([about(it), it.incidents.cursor.state.get()]).toMatchObject([['a'], { index: 0, id: 'a' }])
    it.fleet.open = [incidentOf('new'), incidentOf('b'), incidentOf('c')]
    await it.change()
    expect([about(it), it.incidents.cursor.state.get()]).toMatchObject([['a'], { index: 1, id: 'a' }])
  })

  test('the next row is the current one when the operator goes there, or closes the detail', async () => {
    const it = await opened()
    it.incidents.detail.close()
    expect([about(it), it.incidents.cursor.state.get()]).toMatchObject([['b'], { index: 0, id: 'b' }])
    it.incidents.detail.open('b')
    it.incidents.cursor.to(1)
    expect([about(it), it.incidents.detail.state.get()]).toMatchObject([['c'], { id: 'c' }])
  })

  test('the highlight goes to the shown one when it enters the list, and to no other one', async () => {
    const it = await opened()
    it.incidents.cursor.to(1)
    it.incidents.cursor.expect('a')
    it.fleet.open = [incidentOf('a'), incidentOf('b'), incidentOf('c')]
    await it.change()
    expect([about(it), it.incidents.cursor.state.get()]).toMatchObject([['c'], { index: 2, id: 'c' }])
    it.incidents.detail.open('a')
    expect([about(it), it.incidents.cursor.state.get()]).toMatchObject([['a'], { index: 0, id: 'a' }])
  })

  test('a row that was not here yet is shown when it comes', async () => {
    const it = await start(Array.from({ length: 450 }, (_, index) => incidentOf(`i${index}`)))
    it.incidents.detail.open('i0')
    it.incidents.cursor.to(449)
    expect(about(it)).toEqual(['i0'])
    it.incidents.rows.show(430, 449)
    await it.clock.advance(300)
    expect([about(it), it.incidents.detail.state.get(), it.incidents.cursor.state.get()]).toMatchObject([
      ['i449'],
      { id: 'i449' },
      { index: 449, id: 'i449' },
    ])
  })

  test('beside a row that has left, arrows go to its neighbours, and space selects none', () => {
    const press = (key: string) =>
      listKey(
        { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
        { index: 1, left: true, total: 3, page: 10, selected: false },
      )
    expect(['ArrowDown', 'ArrowUp', 'End', ' '].map(press)).toEqual([
      { action: 'go', index: 1 },
      { action: 'go', index: 0 },
      { action: 'go', index: 2 },
      null,
    ])
  })
})

describe('the subject of an action', () => {
  test('the row of the cursor; the selected ones; the one in the detail; no closed one', async () => {
    const { incidents } = await start(
      ['a', 'b', 'c', 'd'].map((id) => incidentOf(id, id === 'b' ? { closedAt: night } : {})),
    )
    const about = (opened: boolean) => incidents.about(opened).map(({ id }) => id)
    expect(about(false)).toEqual([])
    incidents.cursor.to(0)
    expect(about(false)).toEqual(['a'])
    incidents.selection.begin(0)
    incidents.selection.extend(2)
    await settle()
    expect(about(false)).toEqual(['a', 'c'])
    incidents.selection.toggle(3)
    expect(about(false)).toEqual(['a', 'c', 'd'])
    incidents.detail.open('d')
    await settle()
    expect(about(true)).toEqual(['d'])
  })

  test('an incident that leaves the list is no longer selected', async () => {
    const { incidents, fleet, change } = await start(['a', 'b', 'c'].map((id) => incidentOf(id)))
    incidents.selection.all()
    await settle()
    fleet.open = [incidentOf('b')]
    await change()
    expect([...incidents.selection.state.get()]).toEqual(['b'])
  })

  test('a selection reaches beyond the rows that the window holds', async () => {
    const { incidents, asked } = await start(Array.from({ length: 450 }, (_, index) => incidentOf(`i${index}`)))
    incidents.cursor.to(0)
    incidents.selection.all()
    await settle()
    expect([incidents.selection.state.get().size, incidents.about(false).length]).toEqual([450, 450])
    expect(
      asked
        .filter(([name, input]) => name === 'incidents.list' && (input as ListAsk).limit !== 100)
        .map(([, input]) => (input as ListAsk).limit),
    ).toEqual([200, 200, 50])
  })
})

test('an incident opened from elsewhere is shown in its own list', async () => {
  const { incidents, fleet, report, change } = await start([incidentOf('a')])
  fleet.acknowledged = [
    incidentOf('x', { acknowledged: { at: night, reason: 'On it' } }),
    incidentOf('y', { acknowledged: { at: night, reason: 'On it' } }),
  ]
  await report('open', { scope: 'all', filter: '', device: null, incident: 'y' })
  await settle()
  expect(incidents.detail.state.get()).toMatchObject({ state: 'shown', id: 'y' })
  expect([incidents.view.get().state, incidents.cursor.state.get(), incidents.focusRequest.get()]).toMatchObject([
    'acknowledged',
    { index: 1, id: 'y' },
    'pane',
  ])
  await report('open', { scope: 'all', filter: '', device: null, incident: 'gone' })
  await settle()
  expect(incidents.detail.state.get()).toEqual({ state: 'gone', id: 'gone', seen: false })
  incidents.detail.open('y')
  await settle()
  fleet.acknowledged = []
  await change()
  expect(incidents.detail.state.get()).toEqual({ state: 'gone', id: 'y', seen: true })
})

describe('back from an incident that was opened from elsewhere', () => {
  const there = ({ incidents: { view, cursor, detail } }: Awaited<ReturnType<typeof start>>) => [
    view.get(),
    cursor.id(),
    detail.state.get().state,
  ]

  /** On the second one of those that hold "Berlin", and then led to one that is closed. */
  async function openedFrom(opened: boolean) {
    const it = await start([incidentOf('a'), incidentOf('b')])
    it.fleet.closed = [incidentOf('old', { closedAt: night }), incidentOf('older', { closedAt: night })]
    it.incidents.ask({ text: 'Berlin' })
    await settle()
    it.incidents.cursor.to(1)
    if (opened) it.incidents.detail.open('b')
    await it.report('open', { scope: 'all', filter: '', device: null, incident: 'old' })
    await settle()
    expect(there(it)).toEqual([{ state: 'closed', text: '' }, 'old', 'shown'])
    return it
  }

  test('leads to the list, the text and the row where the operator was, and once', async () => {
    const it = await openedFrom(false)
    expect(it.incidents.leave()).toBeNull()
    await settle()
    expect(there(it)).toEqual([{ state: 'open', text: 'Berlin' }, 'b', 'closed'])
    it.incidents.ask({ state: 'closed', text: '' })
    expect([it.incidents.leave(), it.incidents.view.get().state]).toEqual([null, 'closed'])
  })

  test('leads to the incident that was open; and to the screen, also after another one', async () => {
    const it = await openedFrom(true)
    it.incidents.setReturnScreen('settings')
    await it.report('open', { scope: 'all', filter: '', device: null, incident: 'older' })
    await settle()
    expect(it.incidents.leave()).toBe('settings')
    await settle()
    expect(there(it)).toEqual([{ state: 'open', text: 'Berlin' }, 'b', 'shown'])
  })

  test.each(['a list', 'a row', 'a room'])('does nothing after the operator chose %s', async (chosen) => {
    const it = await openedFrom(false)
    it.incidents.setReturnScreen('inventory')
    if (chosen === 'a list') it.incidents.ask({ state: 'acknowledged' })
    else if (chosen === 'a row') it.incidents.cursor.to(1)
    else it.incidents.clearReturnPath()
    const [before] = there(it)
    expect(it.incidents.leave()).toBeNull()
    await settle()
    expect([there(it)[0], there(it)[2]]).toEqual([before, 'closed'])
  })
})

test('changes that come fast are one request for the shown rows', async () => {
  const { incidents, report, clock, asked } = await start([incidentOf('a')])
  incidents.detail.open('a')
  await settle()
  const before = asked.filter(([name]) => name === 'incidents.show').length
  for (let rev = 2; rev < 12; rev += 1) await report('incidents', { ...appState().incidents, rev })
  await clock.advance(250)
  expect(asked.filter(([name]) => name === 'incidents.show').length - before).toBe(1)
})

test('the tray opens an incident at its explanation, or to acknowledge it unless it is closed', async () => {
  const { incidents, fleet, report } = await start([incidentOf('a')])
  const open = (incident: string, seek: 'why' | 'acknowledge') =>
    report('open', { scope: 'all', filter: '', device: null, incident, seek })
  await open('a', 'why')
  expect([incidents.focusRequest.get(), incidents.asked.get().what]).toEqual(['why', 'none'])
  await open('a', 'acknowledge')
  expect(incidents.asked.get()).toMatchObject({ what: 'acknowledge', subjects: [{ id: 'a' }] })
  incidents.asked.set({ what: 'none' })
  fleet.open = [incidentOf('b', { closedAt: night })]
  await open('b', 'acknowledge')
  expect([incidents.detail.state.get(), incidents.asked.get()]).toMatchObject([
    { state: 'shown', id: 'b' },
    { what: 'none' },
  ])
})
