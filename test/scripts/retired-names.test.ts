import { expect, test } from 'vitest'
import { findRetiredNames, retiredNameIn } from '../../scripts/lint/retired-names.mjs'

test('no source, test or document has a retired name', () => {
  expect(findRetiredNames()).toEqual([])
})

test('a retired name is found as a whole word only', () => {
  expect(retiredNameIn('const a = setRules(b)')).toBe('setRules')
  expect(retiredNameIn('<p>Words, or site:Berlin*</p>')).toBe('Words, or site:Berlin*')
  expect(['resetRules(b)', 'setRulesOf(b)', 'a.setRules', 'set-rules'].map(retiredNameIn)).toEqual([
    null,
    null,
    null,
    null,
  ])
})
