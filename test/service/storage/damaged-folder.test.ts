import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startService } from '../../../src-service/service.ts'
import { open } from '../client.ts'
import { managedFolder } from './folder.ts'

const size = { devices: 300, tenants: 2, seed: 5 }

/** A folder that has been in use, with the administrator ann and a credential set. */
async function usedFolder() {
  const folder = managedFolder()
  folder.makeSet()
  await (await startService({ data: folder.data, ...size })).stop()
  return { ...folder, file: (name: string) => path.join(folder.data, name) }
}

/** The contents of the folder, except the lock, which is empty. */
const contentOf = (data: string): unknown =>
  readdirSync(data)
    .filter((name) => !name.startsWith('running'))
    .map((name) => [name, readFileSync(path.join(data, name))])

const spoilings: [string, (file: string) => void][] = [
  ['something else', (file) => writeFileSync(file, 'nonsense '.repeat(1000))],
  ['half of itself', (file) => truncateSync(file, readFileSync(file).length >> 1)],
]

test.each(
  ['access.sqlite', 'world.sqlite'].flatMap((name) => spoilings.map(([what, spoil]) => ({ name, what, spoil }))),
)('$name that holds $what is named in the error and left as it is', async ({ name, spoil }) => {
  const { data, file, asAnn } = await usedFolder()
  spoil(file(name))
  const before = contentOf(data)
  const words = `${file(name)} is damaged. Put back a copy of it, or begin with another folder.`
  await expect(startService({ data })).rejects.toThrow(words)
  expect(() => asAnn('credentials', 'create', '--name', 'x', '--tenants', 'nowhere')).toThrow(words)
  expect(contentOf(data)).toEqual(before)
})

test.each<[string, (file: string) => void, string]>([
  ['access.sqlite', (file) => writeFileSync(file, ''), 'access.sqlite is empty or gone'],
  ['access.sqlite', (file) => rmSync(file), 'no data folder of this service'],
  ['world.sqlite', (file) => writeFileSync(file, ''), 'world.sqlite is empty or gone'],
  ['world.sqlite', (file) => rmSync(file), 'world.sqlite is empty or gone'],
])('a folder whose %s is emptied or removed is not set up anew (%#)', async (name, spoil, words) => {
  const { data, file, asAnn, command } = await usedFolder()
  spoil(file(name))
  const before = contentOf(data)
  await expect(startService({ data })).rejects.toThrow(words)
  expect(() => asAnn('credentials', 'create', '--name', 'x', '--tenants', 'nowhere')).toThrow(words)
  if (name === 'access.sqlite') expect(() => command('users', 'create', 'eve', '--admin')).toThrow(words)
  expect(contentOf(data)).toEqual(before)
})

test('a damaged lock is not taken for another service and may be deleted', async () => {
  const { data, file } = await usedFolder()
  writeFileSync(file('running.sqlite'), 'nonsense '.repeat(1000))
  await expect(startService({ data })).rejects.toThrow(
    `${file('running.sqlite')} is damaged. Put back a copy, or delete it: nothing is kept in it`,
  )
  rmSync(file('running.sqlite'))
  expect((await open({ data, ...size })).world.devices()).toHaveLength(300)
})
