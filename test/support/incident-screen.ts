import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { service, temporaryProfile, until } from './fleet.ts'
import { readFleet, serve, type Served, type useWindows } from './window.ts'

/** The room of the incidents as tests of it open it. */
export function incidentScreen(windows: ReturnType<typeof useWindows>) {
  /** A fleet whose drops and recoveries are evaluated at once. */
  async function setup() {
    const reference = await service(windows.leftovers, { devices: 240, tenants: 2 })
    const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
    await served.muster.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 1 })
    await readFleet(served.muster, reference)
    return { reference, ...served }
  }

  async function openScreen({ server, muster }: Served, options: Parameters<typeof windows.open>[1] = {}) {
    const page = await windows.open(server.newUrl(), { log: 'log' in muster ? muster.log : [], ...options })
    const room = screenOf(page)
    await room.rail.click()
    return { page, ...room }
  }

  return { setup, openScreen }
}

/** A site with twelve devices or more that are all online, as the service calls it; it has no namesake. */
export function siteOf({ world }: Service): { name: string; ids: string[] } {
  const sizes = world.siteSizes().toSorted((one, other) => other.devices - one.devices)
  const names = sizes.map(({ siteId }) => world.site(siteId)?.name)
  const found = sizes.find(({ siteId }) => names.filter((name) => name === world.site(siteId)?.name).length === 1)
  if (found === undefined) throw new Error('there is no site')
  return { name: world.site(found.siteId)?.name ?? '', ids: world.connectedAt(found.siteId) }
}

export const all = (world: Service['world'], ids: readonly string[], connected: boolean) =>
  ids.forEach((id) => world.setConnected(id, connected))

/** The open incidents, once there are so many. */
export async function whenOpen(muster: Served['muster'], count: number) {
  return until(async () => {
    const { rows, total } = await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 50 })
    expect(total).toBe(count)
    return rows
  }, 40_000)
}

export function screenOf(page: Page) {
  const list = page.getByRole('grid', { name: 'Incidents' })
  return {
    list,
    rows: list.getByRole('row').filter({ has: page.getByRole('gridcell') }),
    pane: page.getByRole('region', { name: 'Incident', exact: true }),
    /** One of the three lists, with how many it has. */
    choice: (word: string) =>
      page.getByRole('radiogroup', { name: 'Which incidents' }).getByText(word, { exact: true }),
    act: (word: string) =>
      page.getByRole('region', { name: 'Incident', exact: true }).getByRole('button', { name: word }),
    rail: page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: /^Incidents/u }),
    dialog: page.getByRole('dialog'),
  }
}
