import { expect, test } from 'vitest'
import { caProblem, updateSettings } from '../../src-shared/model/updates.ts'

const pem = '-----BEGIN CERTIFICATE-----\nMIIB+w==\n-----END CERTIFICATE-----\n'

test.each([
  ['', null],
  [pem, null],
  [`Company root\n${pem}${pem}`, null],
  ['garbage', 'This is no certificate (PEM).'],
  ['-----BEGIN CERTIFICATE-----\nMIIB', 'This is no certificate (PEM).'],
  [`${pem}-----BEGIN PRIVATE KEY-----`, 'Leave out the private key. It must stay secret.'],
])('a CA certificate of the feed is checked (%#)', (text, problem) => {
  expect(caProblem(text)).toBe(problem)
  expect(updateSettings.updateCa.safeParse(text).success).toBe(problem === null)
})
