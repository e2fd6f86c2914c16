import { expect, test } from 'vitest'
import { findings, type Facts } from '../../../src-main/sync/health/health.ts'

const facts: Facts = {
  link: { state: 'connecting', attempt: 3 },
  fault: null,
  downSince: null,
  unwritten: null,
  subscriptionLostSince: null,
  readable: false,
  lateSince: null,
  token: null,
  lostAt: null,
  skew: null,
  hasServiceTime: false,
  comparingSince: null,
  isAskedToWait: false,
}
const detailOf = (of: Facts, check: string) => findings(of).find((one) => one.check === check)?.detail

test('a service that has not answered yet is not reported as healthy', () => {
  expect(['token', 'clock', 'balance'].map((check) => detailOf(facts, check))).toEqual([
    'No access token was used yet.',
    'The service has not reported its time yet.',
    'The service has not reported its points yet.',
  ])
  const answered = { ...facts, hasServiceTime: true }
  expect(['token', 'clock', 'balance'].map((check) => detailOf(answered, check))).toEqual([
    'Nothing is wrong with the access token.',
    'This computer’s clock does not differ much from the service’s.',
    'There are points for what has to be compared.',
  ])
})
