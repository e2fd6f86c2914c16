import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { listed, openRows } from '../support/listed.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'
import { shows } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 300, tenants: 2 }))
})

const open = () => openRows(windows, served)

test('a filter on an unloaded column offers to load it with its cost', async () => {
  const { page, filter, rows } = await open()
  const device = reference.world.find(({ connected }) => connected === true)
  await filter.fill(`serialNumber:${device.serialNumber}`)
  await page.getByText('Serial is not loaded for 300 devices.').waitFor()
  expect(await page.getByText('No matches').count()).toBe(0)
  await page.getByText(/^Loads 300 devices, .*points?, about /u).waitFor()
  // Free text cannot find it either, and says why.
  await filter.fill(device.serialNumber)
  await page
    .getByText(
      /^Not searched: Serial \(not loaded for 300 devices\), MAC \(not loaded for 300 devices\)\.$|^Not searched: MAC \(not loaded for 300 devices\), Serial \(not loaded for 300 devices\)\.$/u,
    )
    .waitFor()
  await filter.fill(`serialNumber:${device.serialNumber}`)
  await page.getByRole('button', { name: 'Load Serial' }).click()
  await listed(page, 1)
  await shows(rows.first(), new RegExp(device.name.slice(0, 5), 'u'))
  await filter.fill(device.serialNumber.toLowerCase())
  await listed(page, 1)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(device.serialNumber)
  const found = page.getByRole('dialog', { name: 'Commands' }).getByRole('option')
  await shows(found.first(), new RegExp(`Serial ${device.serialNumber}`, 'u'))
})

test('a MAC address in any notation finds the device', async () => {
  const { filter, page } = await open()
  const device = reference.world.find(({ connected }) => connected === true)
  const digits = device.macAddress.replaceAll(':', '')
  const cut = (length: number, by: string) => digits.match(new RegExp(`.{${length}}`, 'gu'))?.join(by) ?? ''
  for (const writing of [digits, cut(2, ':'), cut(2, '-').toUpperCase(), cut(4, '.')]) {
    await filter.fill(writing)
    await listed(page, 1)
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type(cut(2, '-').toUpperCase())
  await shows(
    page.getByRole('dialog', { name: 'Commands' }).getByRole('option').first(),
    new RegExp(device.name.slice(0, 5), 'u'),
  )
})
