import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { Activities } from '../../../src-renderer/app/gauge/activities.tsx'
import { WatchLabel } from '../../../src-renderer/inventory/actions/watch-label.tsx'
import { Watch } from '../../../src-renderer/inventory/detail/detail.tsx'
import { Models } from '../../../src-renderer/overview/firmware/firmware-page.tsx'
import { OccupancyPanel } from '../../../src-renderer/overview/occupancy/occupancy.tsx'
import { NotificationSettings } from '../../../src-renderer/settings/screen.tsx'
import { openWindow } from '../support/window.ts'

const settings = {
  settings: defaultSettings(false),
  defaults: defaultSettings(false),
  coreLost: false,
  change() {},
}
const source = { id: 'c', name: 'Acme', offer: 'offered', leftOut: 0, fault: null, streams: 0 }
const occupancy = { value: { on: false, sources: [source] }, fault: null } as never
const firmware = { models: [], modelsLeftOut: 0 } as never
const marked = [
  ['the watch list in a menu', 'Shared with the team', createElement(WatchLabel, { watched: false })],
  ['the watch list in a detail', 'Shared with the team', createElement(Watch, { device: 's/t/1' })],
  ['people counts', 'Shared with the team', createElement(OccupancyPanel, { occupancy, coreLost: false })],
  ['firmware', 'Targets are shared with the team', createElement(Models, { firmware, column: 'f', coreLost: false })],
  [
    'the points',
    'Pause, reserve and limit are shared with the team',
    createElement(Activities, { coreLost: false, onSettings() {} }),
  ],
] as const

describe('settings of the team', () => {
  test.each(marked)('are marked at %s, in a team only', async (_where, words, element) => {
    expect((await openWindow({ operator: 'Ann' })).texts(element)).toContain(words)
    expect((await openWindow()).texts(element).join(' ')).not.toContain('hared with')
  })

  test('at the notifications, the mark stands below the permission of this computer', async () => {
    const { texts } = await openWindow({ operator: 'Ann' })
    const all = texts(createElement(NotificationSettings, settings))
    const [mark, own] = [all.indexOf('Shared with the team'), all.indexOf('On the desktop')]
    expect(own).toBeGreaterThan(-1)
    expect(mark).toBeGreaterThan(own)
    for (const shared of ['Devices that go offline', 'Devices that come back', 'Monitoring lost'])
      expect(all.indexOf(shared), shared).toBeGreaterThan(mark)
  })
})
