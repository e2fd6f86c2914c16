import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { credentialName, openCredentials, readCredential } from '../../../../src-main/platform/headless/credentials.ts'
import { ownFolder } from '../shared/folder.ts'

function setup() {
  const folder = ownFolder()
  const records = [
    { id: 'one', clientId: 'ops-eu' },
    { id: 'two', clientId: '../evil/name' },
  ]
  return { folder, records, secrets: openCredentials({ folder, records: () => records }) }
}

test('a secret has the name of its client id, and no name leads out of the folder', async () => {
  const { folder, secrets } = setup()
  writeFileSync(path.join(folder, 'client-secret.ops-eu'), 'the secret\n')
  expect(await secrets.get('one')).toBe('the secret')
  expect(credentialName(' ../evil/name ')).toBe('client-secret..._evil_name')
  expect(await secrets.get('two')).toBeNull()
  expect(await secrets.get('unknown')).toBeNull()
})

test('a secret that is changed in the unit is read anew, with only its last line break taken off', async () => {
  const { folder, secrets } = setup()
  const file = path.join(folder, 'client-secret.ops-eu')
  writeFileSync(file, ' first \r\n\r\n')
  expect(await secrets.get('one')).toBe(' first \r\n')
  writeFileSync(file, 'second')
  expect(await secrets.get('one')).toBe('second')
})

test('it is read-only, and one that cannot be read is a fault without its content', async () => {
  const { folder, secrets } = setup()
  await expect(secrets.set('one', 'x')).rejects.toMatchObject({ fault: { kind: 'keychain' } })
  await secrets.remove('one')
  mkdirSync(path.join(folder, 'client-secret.ops-eu'))
  await expect(secrets.get('one')).rejects.toMatchObject({ fault: { kind: 'keychain' } })
  expect(await readCredential(folder, 'metrics-token')).toBeNull()
})
