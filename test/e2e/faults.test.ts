import { expect, test } from 'vitest'
import { makeCertificates } from '../../src-service/net/certificates.ts'
import type { Service } from '../../src-service/service.ts'
import { explain, type FaultKind } from '../../src-shared/model/fault.ts'
import type { ConnectionInput } from '../../src-shared/model/connection.ts'
import { connectionTo, service, temporaryProfile } from '../support/fleet.ts'
import { serve, useWindows } from '../support/window.ts'

const windows = useWindows()

interface Case {
  what: string
  kind: FaultKind
  input?: (reference: Service) => Partial<ConnectionInput>
  spoil?: (reference: Service) => void
}

const cases: Case[] = [
  { what: 'a wrong secret', kind: 'credentials', input: () => ({ clientSecret: 'wrong' }) },
  { what: 'an unknown host', kind: 'name', input: () => ({ tokenUrl: 'https://nosuch.invalid/oauth/token' }) },
  { what: 'an untrusted certificate', kind: 'tls', input: () => ({ ca: '' }) },
  {
    what: 'a web page instead of data',
    kind: 'not-json',
    spoil: ({ misfortune }) => Array.from({ length: 6 }, () => misfortune.next('html')),
  },
  {
    what: 'a port that nobody listens on',
    kind: 'connect',
    input: () => ({ tokenUrl: 'https://127.0.0.1:1/oauth/token' }),
  },
]

test.each(cases)('$what is reported as that, with advice', async ({ kind, input, spoil }) => {
  const reference = await service(windows.leftovers, { devices: 20, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  spoil?.(reference)
  await muster.call('connections.save', connectionTo(reference, input?.(reference)))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { title, advice } = explain({ kind, detail: '' })
  await page.getByRole('status').getByText(`Acme: ${title}`).waitFor()
  await page.getByRole('status').getByText(advice).waitFor()
  await page.getByRole('button', { name: 'Connections' }).click()
  const particulars = page.getByRole('region', { name: 'Connection', exact: true })
  await particulars.getByText(title).first().waitFor()
  await particulars.getByText(advice).first().waitFor()
})

test('a certificate for another host is not trusted, whoever signed it', async () => {
  const reference = await service(windows.leftovers, {
    devices: 20,
    tenants: 1,
    certificates: await makeCertificates('other-host'),
  })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await muster.call('connections.save', connectionTo(reference))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByText(`Acme: ${explain({ kind: 'tls', detail: '' }).title}`).waitFor()
  expect(reference.requests()).toBe(0)
})

test('an error is fixed in the connection, from the line that reports it', async () => {
  const reference = await service(windows.leftovers, { devices: 20, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await muster.call('connections.save', connectionTo(reference, { clientSecret: 'wrong' }))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('button', { name: 'Edit connection' }).click()
  const form = page.getByRole('dialog', { name: 'Edit connection' })
  await form.getByLabel('Client secret').fill(reference.clientSecret)
  await form.getByRole('button', { name: 'Save and connect' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Inventory' }).click()
  await page.getByRole('heading', { name: /^20 devices:/u }).waitFor()
  await expect.poll(() => page.getByText(explain({ kind: 'credentials', detail: '' }).title).count()).toBe(0)
})
