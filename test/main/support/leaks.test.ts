import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'
import { formsOf, leaksBelow, leaksIn } from '../../support/leaks.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const secrets = ['right one+/=%&Zw8kQ2pV7xNb', 'wrong sheet+/=%&Ub3vT8eW2oGq', 'üñí geheim', 'short1']

test.each(secrets)('a leak of %s is found in each form, with any text around it', (secret) => {
  const leaks = (held: Buffer | string) => leaksIn('here', held, { it: secret })
  for (const [form, bytes] of formsOf(secret))
    expect(leaks(Buffer.concat([Buffer.from('x\0'), bytes, Buffer.from('x')])), form).toContain(`it, ${form}: here`)
  for (const form of ['base64', 'base64url'] as const) {
    for (const around of ['', 'a', 'an', 'id:', 'four'])
      expect(leaks(Buffer.from(`${around}${secret}${around}`).toString(form)), around).toContain('it, in base64: here')
  }
  expect(leaks(JSON.stringify([secret.slice(2), secret.toUpperCase(), 'some words that are none']))).toEqual([])
})

test('signed tokens of any issuer are found, in any file of a folder', () => {
  const folder = temporaryProfile(leftovers)
  mkdirSync(path.join(folder, 'deeper'))
  writeFileSync(
    path.join(folder, 'deeper', 'a.db-wal'),
    Buffer.from('\0\x01eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln\xff', 'latin1'),
  )
  writeFileSync(path.join(folder, 'b'), 'short1')
  expect(leaksBelow(folder, { it: 'short1' }).leaks).toEqual(
    expect.arrayContaining([`a token: ${path.join('deeper', 'a.db-wal')}`, 'it, plain: b']),
  )
})
