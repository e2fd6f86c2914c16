import { createActions } from '../../../src-renderer/incidents/actions/actions.ts'
import { incidentItems } from '../../../src-renderer/incidents/actions/palette.ts'
import { start } from '../support/incident-core.ts'
import { incidentOf, minute, night } from '../support/incident-stub.ts'
import { corePipe } from '../support/pipe-stub.ts'
import { describe, expect, test } from 'vitest'

describe('actions', () => {
  function acting(answers: Parameters<typeof corePipe>[0], writes = true) {
    const core = corePipe(answers)
    const copied: string[] = []
    const saved: string[][] = []
    const undone: (readonly string[])[] = []
    const actions = createActions({
      pipe: core.pipe,
      onUndone: (ids) => void undone.push(ids),
      now: () => night,
      times: () => 'utc',
      write: async (text) => {
        copied.push(text)
        return writes
      },
      linkText: (id) => `muster://incident/${id}`,
      save: async (...file) => (saved.push(file), { ok: true, where: file[0] }),
    })
    return { ...core, actions, copied, saved, undone }
  }

  test('acknowledging confirms, keeps the reason for the next time, and can be undone once', async () => {
    const { actions, asked, undone } = acting({
      'incidents.acknowledge': () => ({ undo: 7 }),
      'actions.undo': () => ({}),
    })
    expect(await actions.acknowledge(['a', 'b'], '  On it ')).toBe(true)
    expect([actions.state.get(), actions.reasons.get()]).toEqual([
      { words: 'Acknowledged 2 incidents.', failed: false, undo: 7, about: true },
      ['On it'],
    ])
    await actions.undo()
    expect(actions.state.get()).toEqual({ words: 'Undone.', failed: false, undo: null, about: false })
    expect(undone).toEqual([['a', 'b']])
    await actions.undo()
    expect(actions.state.get().words).toBe('There is nothing to undo.')
    expect(asked).toEqual([
      ['incidents.acknowledge', { ids: ['a', 'b'], reason: 'On it' }],
      ['actions.undo', { id: 7 }],
    ])
    await actions.acknowledge(['a'], 'Ticket 9')
    await actions.acknowledge(['a'], 'On it')
    expect(actions.reasons.get()).toEqual(['On it', 'Ticket 9'])
  })

  test('actions are undone one after the other, each with its incidents', async () => {
    let number = 0
    const { actions, asked, undone } = acting({
      'incidents.acknowledge': () => ({ undo: (number += 1) }),
      'actions.undo': () => ({}),
    })
    await actions.acknowledge(['a'], 'One')
    await actions.acknowledge(['b'], 'Two')
    await actions.undo()
    expect(actions.state.get()).toEqual({ words: 'Undone.', failed: false, undo: 1, about: true })
    await actions.undo()
    expect(actions.state.get()).toMatchObject({ undo: null, about: false })
    expect([undone, asked.slice(2)]).toEqual([
      [['b'], ['a']],
      [
        ['actions.undo', { id: 2 }],
        ['actions.undo', { id: 1 }],
      ],
    ])
  })

  test('a rejected action says so, and the one before can still be undone', async () => {
    const { actions } = acting({ 'incidents.snooze': () => ({ undo: 3 }) })
    await actions.snooze(['a'], night + 60 * minute)
    expect(actions.state.get()).toMatchObject({ words: 'Snoozed 1 incident until 04:00.', undo: 3 })
    expect(await actions.release(['a'])).toBe(false)
    expect(actions.state.get()).toMatchObject({ failed: true, undo: 3, about: false })
  })

  test('a report goes to the clipboard with a confirmation; a closed clipboard is an error', async () => {
    const open = acting({ 'incidents.evidence': () => ({ text: '# a\nb' }) })
    await open.actions.copyEvidence('a')
    expect([open.copied, open.actions.state.get().words]).toEqual([
      ['# a\nb'],
      'Copied the report, 2 lines of Markdown.',
    ])
    await open.actions.copyLink('a')
    expect([open.copied.at(-1), open.actions.state.get().words]).toEqual(['muster://incident/a', 'Copied the link.'])
    const shut = acting({ 'incidents.evidence': () => ({ text: 'x' }) }, false)
    await shut.actions.copyEvidence('a')
    expect(shut.actions.state.get()).toMatchObject({ failed: true })
  })

  test('a handover is copied, or saved under the name that the core gives it', async () => {
    const { actions, asked, saved, copied } = acting({
      'handover.make': (input) => ({
        text: (input as { format: string }).format,
        name: `handover.${(input as { format: string }).format}`,
      }),
    })
    await actions.handover(night - minute, 'copy')
    await actions.handover(night - minute, 'csv')
    expect([copied, saved, actions.state.get().words]).toEqual([
      ['md'],
      [['handover.csv', 'text/csv', 'csv']],
      'Saved the handover as handover.csv, 3 characters.',
    ])
    expect(asked.map(([, input]) => input)).toEqual([
      { from: night - minute, until: night, format: 'md' },
      { from: night - minute, until: night, format: 'csv' },
    ])
  })
})

test('the palette has every action, and the reason why one is unavailable', async () => {
  const { incidents } = await start([incidentOf('a')])
  const labels = () =>
    incidentItems({ incidents, now: night, times: 'utc', toScreen: () => {} }).map(({ label, reason }) => [
      label,
      reason,
    ])
  expect(labels()).toContainEqual(['Acknowledge', 'Choose an incident first.'])
  expect(labels()).toContainEqual(['Undo', 'There is nothing to undo.'])
  incidents.cursor.to(0)
  expect(labels().filter(([label]) => label?.startsWith('Snooze'))).toEqual([
    ['Snooze for another time', ''],
    ['Snooze for 15 minutes', ''],
    ['Snooze for 1 hour', ''],
    ['Snooze until 08:00', ''],
    ['Snooze until it recovers', ''],
  ])
})
