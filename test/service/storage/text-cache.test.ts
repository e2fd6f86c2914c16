import { expect, test } from 'vitest'
import { startTextCache } from '../../../src-service/graphql/text-cache.ts'

test('used texts stay, those not used lately leave, and texts that are too large do not enter', () => {
  const cache = startTextCache<number>(12)
  const texts = ['aaa', 'bbb', 'ccc', 'ddd']
  for (const [at, text] of texts.entries()) cache.set(text, at)
  expect(texts.map((text) => cache.get(text))).toEqual([0, 1, 2, 3])
  cache.get('aaa')
  cache.set('eee', 4)
  expect([...texts, 'eee'].map((text) => cache.get(text))).toEqual([0, undefined, 2, 3, 4])
  cache.set('eee', 5)
  expect(['aaa', 'ccc', 'ddd', 'eee'].map((text) => cache.get(text))).toEqual([0, 2, 3, 5])
  cache.set('four', 6)
  expect([cache.get('four'), cache.get('aaa')]).toEqual([undefined, 0])
})
