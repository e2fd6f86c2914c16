import { expect, test } from 'vitest'
import { readContrary } from '../../../src-service/command/contrary-option.ts'
import {
  contraryNames,
  contraryOptions,
  drawAnswers,
  usualAnswers,
} from '../../../src-service/faults/contrary/answers.ts'
import { unusualAnswers } from '../../../src-service/faults/contrary/contrary.ts'
import { open } from '../client.ts'

test('the same seed draws the same answers, and among 300 seeds each odd answer comes up', () => {
  expect(drawAnswers(7)).toEqual(drawAnswers(7))
  const drawn = Array.from({ length: 300 }, (_, seed) => drawAnswers(seed))
  for (const name of contraryNames) {
    const seen = new Set(drawn.map((answers) => JSON.stringify(answers[name])))
    for (const odd of [contraryOptions[name].usual, ...contraryOptions[name].alternatives])
      expect(seen, name).toContain(JSON.stringify(odd))
  }
})

test('on the command line single answers override those of the seed', () => {
  expect(
    readContrary(
      ['maxPageSize=7', 'missingFields=site,room', 'pageRefusalCode=', 'costHeaders=no', 'unresolvedSites=.25'],
      null,
    ),
  ).toEqual({
    maxPageSize: 7,
    missingFields: ['site', 'room'],
    pageRefusalCode: '',
    costHeaders: false,
    unresolvedSites: 0.25,
  })
  expect(readContrary(['maxPageSize=7'], 3)).toEqual({ ...drawAnswers(3), maxPageSize: 7 })
  expect(readContrary([], null)).toEqual(drawAnswers(1))
})

test.each([
  'maxPageSize',
  'maxPageSize=',
  'maxPageSize=many',
  'maxPageSize=0',
  'pageInfo=some',
  'missingFields=id',
  'costHeaders=1',
  'nullEvents=2',
  'nothing=1',
  'toString=1',
])('--contrary %s is rejected with a message', (text) => {
  expect(() => readContrary([text], null)).toThrow(/^--contrary /)
})

test('another profile takes no answers, neither at the start nor later', async () => {
  await expect(open({ contrary: { maxPageSize: 3 } })).rejects.toThrow(
    'Only the contrary profile has answers of its own',
  )
  const service = await open()
  expect(service.contrary.answers()).toEqual(usualAnswers())
  expect(() => service.contrary.change({ maxPageSize: 3 })).toThrow(
    'Only a service of the contrary profile answers otherwise',
  )
})

test('an answer that shapes the schema cannot change later; all others can', async () => {
  const service = await open({ profile: 'contrary' })
  expect(() => service.contrary.change({ pageInfo: 'token-only' })).toThrow('pageInfo is fixed when the service starts')
  service.contrary.change({ maxPageSize: 3 })
  expect(unusualAnswers(service.contrary.answers())).toEqual({ maxPageSize: 3 })
})
