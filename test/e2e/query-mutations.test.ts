import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { confirmArming } from '../support/actions-window.ts'
import { shows } from '../support/page-parts.ts'
import { serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 60, tenants: 2 }))
})

/** Opens the question of a mutation that renames a device, with all tenants locked. */
async function ask(name: string, options: OpenOptions = {}) {
  await served.muster.call('actions.lock', {})
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  const [device] = reference.world.devices()
  const id = device?.id ?? ''
  await page.getByRole('textbox', { name: 'Variables as JSON' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`{"name": "${name}"}`)
  await page.getByRole('textbox', { name: 'GraphQL document' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(
    `mutation Rename($name: String!) { updateDevice(id: "${id}", fields: { name: $name }) { id name } }`,
  )
  await page.getByRole('button', { name: 'Run mutation…' }).waitFor()
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Run the mutation Rename?' })
  await dialog.waitFor()
  return { page, dialog, nameOf: () => reference.world.device(id)?.name }
}

async function armAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Arm 2 tenants…' }).click()
  await confirmArming(page)
}

test('a mutation says what it does, asks for armed tenants, is sent once and is in the history', async () => {
  const { page, dialog, nameOf } = await ask('Aurora 7')
  await shows(dialog, /updateDevice\(id: "[^"]+", fields: \{name: "Aurora 7"\}\)/u)
  await shows(dialog, /May act on ?2 tenants/u)
  await shows(dialog, /points?, .*It goes now\./u)
  const press = dialog.getByRole('button', { name: 'Send mutation' })
  expect(await press.isDisabled()).toBe(true)
  expect(
    await dialog.getByRole('button', { name: 'Cancel' }).evaluate((button) => button === document.activeElement),
  ).toBe(true)
  await armAll(page)
  await expect.poll(() => press.isDisabled()).toBe(false)
  expect(nameOf()).not.toBe('Aurora 7')
  await press.click()
  const result = page.getByRole('region', { name: 'Result of the mutation' })
  await shows(result.getByRole('listitem'), /^updateDevice Done$/u)
  expect(nameOf()).toBe('Aurora 7')
  await shows(page.getByRole('tree', { name: 'Answer as JSON' }), /"name": "Aurora 7"/u)
  await result.getByRole('button', { name: 'Show in Actions' }).click()
  const action = page.getByRole('region', { name: 'Action', exact: true })
  await action.getByRole('heading', { name: 'Mutation Rename — by query screen' }).waitFor()
  await shows(action, /updateDevice.*Done, confirmed by the service\./u)
  expect(await action.getByRole('button', { name: /Undo|Only what failed/u }).count()).toBe(0)
})

test('a mutation without an answer is unknown, and says what to do', async () => {
  const { page, dialog } = await ask('Aurora 8')
  await armAll(page)
  reference.misfortune.next('reset', { match: ({ query }) => query.includes('updateDevice') })
  await dialog.getByRole('button', { name: 'Send mutation' }).click()
  const result = page.getByRole('region', { name: 'Result of the mutation' })
  await shows(result, /updateDevice Unknown/u)
  await shows(result, /no answer says whether it was executed/u)
  expect(reference.operations().filter(({ variables }) => variables['name'] === 'Aurora 8').length).toBeLessThan(2)
})

test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 720, height: 450 }, colorScheme: 'light' as const },
])('the question of a mutation has no violations: $viewport.width, $colorScheme', async (options) => {
  const { page, dialog } = await ask('Aurora 9', options)
  await expectNoViolations(page, `question of a mutation ${options.colorScheme}`)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})
