import { describe, expect, test } from 'vitest'
import { chartIn, recordsIn, settingsIn, valueIn } from '../../../src-main/query/configuration/read.ts'

const at = Date.parse('2026-03-01T00:00:00Z')
const chart = (series: unknown) => chartIn({ charts: { meta: null, series } })

describe('a chart', () => {
  test.each([
    ['pairs of a text and a number', [['2026-03-01T00:00:00Z', 5]]],
    ['pairs of seconds', [[at / 1000, 5]]],
    ['objects', [{ timestamp: '2026-03-01T00:00:00Z', value: '5' }]],
    ['other objects', [{ x: at, y: 5 }]],
  ])('with %s is understood', (_what, data) => {
    for (const name of ['points', 'data', 'values'])
      expect(chart([{ name: 'uptime', [name]: data }])).toEqual({
        series: [{ name: 'uptime', unit: '', points: [{ at, value: 5 }] }],
        text: null,
      })
  })

  test.each([
    ['an object', { DAY: 5 }],
    ['a list of numbers', [1, 2]],
    ['points without a time', [{ name: 'a', points: [['never', 1]] }]],
    ['points without a value', [{ name: 'a', points: [['2026-03-01T00:00:00Z', 'much']] }]],
  ])('of %s is shown as the service sent it', (_what, series) => {
    expect(chart(series)).toEqual({ series: [], text: JSON.stringify(series, null, 2) })
  })

  test('that is null is no empty chart', () => {
    expect(chart(null)).toBeNull()
    expect(chartIn({ charts: null })).toBeNull()
    expect(chart([])).toEqual({ series: [], text: null })
  })
})

describe('records', () => {
  const node = (deviceId: string) => ({
    node: { deviceId, startTime: '2026-03-01T00:00:00Z', endTime: null, callRate: 1024 },
  })
  test('of other devices, null ones and unreadable ones are left out', () => {
    const edges = [node('a'), node('b'), null, { node: null }, { node: { deviceId: 5 } }]
    const found = recordsIn({ meetingRecordLists: { pageInfo: { hasNextPage: true, endCursor: 7 }, edges } }, 'a')
    expect(found).toMatchObject({ read: 5, next: '7', records: [{ startTime: at, endTime: null, rate: '1024' }] })
  })

  test('of a list that failed are none, not an empty list', () => {
    expect(recordsIn({ meetingRecordLists: null }, 'a')).toBeNull()
    expect(recordsIn({ meetingRecordLists: { edges: [] } }, 'a')).toMatchObject({ records: [], next: null })
  })
})

describe('settings', () => {
  test('are named by policy, and a value is found by its name', () => {
    expect(settingsIn([{ policyId: 'p', configurationAttributes: [{ name: 'a' }, {}] }, null])).toEqual([
      { name: 'a', policy: 'p' },
    ])
    expect(settingsIn(null)).toBeNull()
    const data = { getPolicyById: { configurationAttributes: [{ name: 'a', currentValue: 5 }, { name: 'b' }] } }
    expect(valueIn(data, 'a')).toEqual({ found: true, value: '5' })
    expect(valueIn(data, 'b')).toEqual({ found: true, value: null })
    expect(valueIn({ getPolicyById: null }, 'a')).toEqual({ found: false, value: null })
  })
})
