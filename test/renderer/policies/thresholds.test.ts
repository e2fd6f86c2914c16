import type { FoundPlace } from '../../../src-shared/contract/contract.ts'
import type { Policies } from '../../../src-shared/model/incidents.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { placeOf } from '../../../src-renderer/policies/place/place.ts'
import { expect, test } from 'vitest'
import {
  inheritedThreshold,
  inheritedText,
  thresholdsOf,
  setText,
  textsOf,
} from '../../../src-renderer/policies/thresholds/thresholds.ts'
import { numberSettings } from '../../../src-renderer/settings/fields/number-settings.ts'

const site: FoundPlace = {
  id: 's:x',
  kind: 'site',
  name: 'Berlin',
  above: [
    { id: 't:x', kind: 'tenant', name: 'Acme' },
    { id: 'r:EU', kind: 'region', name: 'EU-1' },
  ],
}
const place = placeOf(site)
const policies = (part: Partial<Policies>): Policies => ({
  ownZone: 'UTC',
  windows: [],
  zones: [],
  thresholds: [],
  places: [],
  ...part,
})

test('thresholds are inherited one by one, and set where something is typed', () => {
  const configured = policies({
    thresholds: [
      { node: 't:x', nodeName: 'Acme', thresholds: { holdOffSeconds: 20 } },
      { node: 's:x', nodeName: 'Berlin', thresholds: { holdOffSeconds: 5 } },
    ],
  })
  const settings = defaultSettings(false)
  expect(inheritedThreshold('holdOffSeconds', place, configured, settings)).toEqual({ value: 20, from: 'Acme' })
  expect(inheritedThreshold('siteDownPercent', place, configured, settings)).toEqual({
    value: settings.siteDownPercent,
    from: null,
  })
  const [holdOff] = numberSettings
  expect(holdOff && inheritedText({ value: 1200, from: null }, holdOff)).toBe('1,200 seconds, from the settings')
  expect(thresholdsOf({ ...textsOf({}), holdOffSeconds: ' 0', siteDownDevices: '7' })).toEqual({
    rules: { holdOffSeconds: 0, siteDownDevices: 7 },
    problems: new Map(),
  })
  expect([...thresholdsOf({ ...textsOf({ flapMinutes: 30 }), siteDownPercent: '101' }).problems]).toEqual([
    ['siteDownPercent', 'Enter a whole number from 1 to 100 per cent.'],
  ])
  expect(setText({ holdOffSeconds: 20, siteDownPercent: 80 })).toEqual([
    'Alert delay: 20 seconds',
    'Site-down share: 80 per cent',
  ])
})
