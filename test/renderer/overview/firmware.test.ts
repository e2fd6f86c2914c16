import { expect, test } from 'vitest'
import { parseFilter } from '../../../src-shared/filter/filter.ts'
import {
  filterBehind,
  filterOf,
  shareOf,
  shareText,
  withTarget,
} from '../../../src-renderer/overview/firmware/firmware.ts'

const model = (over: object) => ({
  family: '',
  model: 'X50',
  devices: 10,
  unread: 2,
  target: '2.0',
  behind: 4,
  versions: [],
  versionsLeftOut: 0,
  ...over,
})

test('the share on target is of the devices whose version is known', () => {
  expect(shareOf(model({}))).toBe(0.5)
  expect(shareOf(model({ behind: null, target: null }))).toBeNull()
  expect(shareOf(model({ unread: 10, behind: 0 }))).toBeNull()
})

test('a target replaces the former one, and none removes it', () => {
  const targets = [
    { model: 'A', version: '1' },
    { model: 'B', version: '2' },
  ]
  expect(withTarget(targets, 'A', '3')).toEqual([
    { model: 'B', version: '2' },
    { model: 'A', version: '3' },
  ])
  expect(withTarget(targets, 'A', null)).toEqual([{ model: 'B', version: '2' }])
})

test('filters name model and version, also odd ones', () => {
  expect(parseFilter(filterOf('Studio "X", 50', 'softwareVersion', 'none'), ['softwareVersion'])).toMatchObject({
    problems: [],
    terms: [
      { field: 'hardwareModel', values: [['Studio "X", 50']] },
      { field: 'extra:softwareVersion', values: [['none']] },
    ],
  })
  expect(parseFilter(filterBehind('', 'softwareVersion', '1.0, beta'), ['softwareVersion'])).toMatchObject({
    problems: [],
    terms: [{ values: [null] }, { operator: '<', amount: { text: '1.0, beta' } }],
  })
})

test('a share is 100 % only where all have reached it', () => {
  expect([shareText(1), shareText(0.99999), shareText(0)]).toEqual(['100\u00A0%', '99.9\u00A0%', '0\u00A0%'])
})
