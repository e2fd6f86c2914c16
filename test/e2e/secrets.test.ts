import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import type { Page } from 'playwright'
import { expect, test, vi } from 'vitest'
import { openLog } from '../../src-main/platform/shared/log.ts'
import type { Service } from '../../src-service/service.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { startAskingProxy, startEchoing, type EchoingService } from '../support/echoing-service.ts'
import { service, temporaryProfile, until } from '../support/fleet.ts'
import { heap } from '../support/heap.ts'
import { leaksBelow, leaksIn } from '../support/leaks.ts'
import { savedBy, serve, shell, useWindows, whenListening } from '../support/window.ts'

const windows = useWindows()

const secrets = {
  'the secret of the form': 'right one+/=%&Zw8kQ2pV7xNb',
  'a secret that was refused': 'wrong one+/=%&Hd5tR9cY3mLs',
  'the secret of a sheet': 'sheet one+/=%&Jf6uS1dX4nKa',
  'a refused secret of a sheet': 'wrong sheet+/=%&Ub3vT8eW2oGq',
  'the password of the proxy': 'proxy one+/=%&Ec7yP4hM9rDz',
}

/** Everything that this process prints during the test, beside Muster's log. */
function printedHere(): string[] {
  const printed: string[] = []
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream)
    const spy = vi.spyOn(stream, 'write').mockImplementation(((text: string | Uint8Array, ...rest: []) => {
      printed.push(String(text))
      return write(text, ...rest)
    }) as typeof stream.write)
    windows.leftovers.push(() => spy.mockRestore())
  }
  return printed
}

/** Muster behind a proxy that wants a password, with its log in the profile as both shells have it. */
async function begin() {
  const reference = await service(windows.leftovers, {
    devices: 60,
    tenants: 1,
    clientSecret: secrets['the secret of the form'],
  })
  const host = shell === 'web' ? 'echo.test' : '127.0.0.1'
  const echoing = await startEchoing(windows.leftovers, host)
  const proxy = await startAskingProxy(windows.leftovers, secrets['the password of the proxy'], echoing.port)
  const known = shell === 'web' ? '' : `anna:${encodeURIComponent(secrets['the password of the proxy'])}@`
  const env = { HTTPS_PROXY: `http://${known}127.0.0.1:${proxy.port}`, NO_PROXY: '' }
  const profile = path.join(temporaryProfile(windows.leftovers), 'profile')
  mkdirSync(profile)
  const printed = printedHere()
  const writes = openLog(profile, systemClock, (line) => void printed.push(line))
  const served = await serve(windows.leftovers, profile, { env, writes })
  const page = await windows.open(served.server.newUrl(), {
    log: served.muster.log,
    expected: [/WebSocket connection to .* failed/u],
  })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return { reference, echoing, echo: `${host}:${echoing.port}`, proxy, profile, printed, served, page }
}

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+V')
}

/** The wrong secret first, as people do, then the right one. */
async function typeSecrets(page: Page, reference: Service): Promise<void> {
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const form = page.getByRole('dialog', { name: 'New connection' })
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, ca } = reference
  const fields = {
    Name: 'Typed',
    'Token URL': tokenUrl,
    'GraphQL URL': graphqlUrl,
    'Subscription URL': subscriptionUrl,
    'Client id': clientId,
    'CA certificate': ca,
  }
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value)
  await form.getByLabel('Client secret').fill(secrets['a secret that was refused'])
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await form
    .getByText(/rejected this client id and secret/u)
    .first()
    .waitFor()
  await form.getByRole('button', { name: 'Save and connect' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit Typed' }).click()
  const again = page.getByRole('dialog', { name: 'Edit connection' })
  await again.getByLabel('Client secret').fill(secrets['the secret of the form'])
  await again.getByRole('button', { name: 'Save and connect' }).click()
  await again.waitFor({ state: 'detached' })
}

/** Two customers of a service that repeats whatever it is given. */
async function importSheet(page: Page, { ca }: EchoingService, echo: string): Promise<void> {
  const head = 'name,token_url,graphql_url,subscription_url,client_id,client_secret,ca'
  const line = (name: string, secret: string) =>
    `${name},https://${echo}/oauth/token,https://${echo}/graphql,wss://${echo}/graphql,id-${name},"${secret}","${ca}"`
  await page.getByRole('button', { name: 'Connections' }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import connections' })
  await dialog.getByLabel('Paste the lines here').focus()
  await paste(
    page,
    [head, line('Echo', secrets['the secret of a sheet']), line('Denied', secrets['a refused secret of a sheet'])].join(
      '\n',
    ),
  )
  await dialog.getByText('2 lines: 2 to add, 0 to change, 0 rejected. Nothing is stored yet.').waitFor()
  await dialog.getByRole('button', { name: 'Import 2 connections' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.evaluate(() => navigator.clipboard.writeText('something else'))
}

/** Enters the proxy's login in the settings. The stand-in's network has no proxy that could ask. */
async function typeProxyLogin(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Settings' }).click()
  const login = page.getByRole('form').filter({ hasText: 'It asks for a name and password.' })
  await login.getByLabel('Name').fill('anna')
  await login.getByLabel('Password').fill(secrets['the password of the proxy'])
  await login.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Its name and password are stored with the client secrets.').waitFor()
}

/** The texts on the screen on the path to a full bundle, and the bundle itself. */
async function toBundle(page: Page) {
  const seen: string[] = []
  for (const screen of ['Inventory', 'Incidents', 'Connections', 'Settings', 'Diagnostics']) {
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: screen }).click()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    seen.push(await page.content())
  }
  await page.getByRole('button', { name: 'Copy as text' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  seen.push(await page.evaluate(() => navigator.clipboard.readText()))
  await page.getByRole('button', { name: 'Support bundle…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Support bundle' })
  await dialog.getByRole('switch', { name: 'Names of devices' }).focus()
  await page.keyboard.press('Space')
  await expect.poll(() => dialog.getByRole('status').textContent()).toMatch(/^9 files/u)
  const saved = await savedBy(page, () => dialog.getByRole('button', { name: 'Save zip' }).click())
  await dialog.getByText(/^Saved as /u).waitFor()
  seen.push(await page.content())
  await dialog.getByRole('button', { name: 'Done' }).click()
  return {
    seen,
    bundle: Object.entries(unzipSync(saved.bytes)).map(([name, bytes]) => ({
      name,
      bytes: Buffer.from(bytes),
      text: strFromU8(bytes),
    })),
  }
}

test("no secret is in a bundle, a log, the profile, the printed text or the window's memory", async () => {
  const {
    reference,
    echoing,
    echo,
    proxy,
    profile,
    printed,
    served: { muster, stop },
    page,
  } = await begin()
  const all = { ...secrets, 'an opaque token': echoing.token }
  await typeSecrets(page, reference)
  await whenListening(muster, reference)
  await importSheet(page, echoing, echo)
  if (shell === 'web') await typeProxyLogin(page)
  await until(async () => {
    expect(echoing.echoes.token).toBeGreaterThan(0)
    expect(echoing.echoes.answer).toBeGreaterThan(0)
    expect(echoing.echoes.socket).toBeGreaterThan(0)
    const { connections } = await muster.call('app.state', {})
    expect(connections.map(({ name, faults }) => [name, faults.length > 0])).toEqual([
      ['Typed', false],
      ['Echo', true],
      ['Denied', true],
    ])
  }, 45_000)
  // Tokens that a socket was given come back with another one.
  reference.misfortune.dropSockets(4403)
  await until(() => expect(reference.tokensIssued()).toBeGreaterThan(1))
  if (shell === 'web') expect([[...new Set(proxy.let)], [...new Set(proxy.refused)]]).toEqual([[echo], [echo]])

  const { seen, bundle } = await toBundle(page)
  const file = (name: string) => bundle.find((each) => each.name === name)?.text ?? ''
  // What is looked through is what it is taken for.
  expect(file('connections.json')).toContain('"id-Echo"')
  expect(file('muster.log')).toContain('Echo: ')
  expect(file('muster.log')).toContain('[hidden]')
  expect(JSON.stringify(await muster.call('app.state', {}))).toContain(
    'words are not shown because they may contain a secret',
  )
  expect(bundle).toHaveLength(9)
  const running = leaksBelow(profile, all)
  expect(running.files).toEqual(
    expect.arrayContaining(['cache.db', 'cache.db-wal', 'journal.db', 'journal.db-wal', 'muster.log', 'settings.json']),
  )
  const state = JSON.stringify([
    await muster.call('app.state', {}),
    await muster.call('diagnostics.show', {}),
    await muster.call('connections.export', {}),
    muster.log,
  ])
  const cookies = JSON.stringify([
    await page.evaluate(() => [JSON.stringify(localStorage), JSON.stringify(sessionStorage), location.href]),
    await page.context().cookies(),
  ])
  const leaks = () => [
    ...bundle.flatMap(({ name, bytes }) => leaksIn(`the bundle's ${name}`, bytes, all)),
    ...running.leaks,
    ...seen.flatMap((text) => leaksIn('the window', text, all)),
    ...leaksIn('what the core tells', state, all),
    ...leaksIn('the browser', cookies, all),
    ...leaksIn('what was printed', [...printed, ...muster.log].join('\n'), all),
  ]
  expect(leaks()).toEqual([])

  await page.evaluate(() => navigator.clipboard.writeText('something else'))
  const cdp = await page.context().newCDPSession(page)
  const held = await heap(cdp)
  expect(held).toContain(reference.clientId)
  expect(held).toContain('id-Echo')
  // Memory that nobody needs any more is let go of in its own time.
  await expect
    .poll(async () => leaksIn('the window’s memory', await heap(cdp), all), { timeout: 25_000, interval: 500 })
    .toEqual([])

  await stop()
  const after = leaksBelow(profile, all)
  expect([...leaks(), ...after.leaks]).toEqual([])
  expect(existsSync(path.join(profile, 'muster.log'))).toBe(true)
}, 120_000)
