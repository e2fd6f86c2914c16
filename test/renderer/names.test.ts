import { renderToStaticMarkup } from 'react-dom/server'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { placeWords, silentWords, whereWords } from '../../src-renderer/incidents/words.ts'
import { noneCalled } from '../../src-renderer/inventory/looser.ts'
import { NameText } from '../../src-renderer/inventory/name-text.tsx'
import { Isolated } from '../../src-renderer/ui/isolated.tsx'
import { offerWords } from '../../src-renderer/words/offered.ts'
import { incidentOf } from './incident-stub.ts'

const [turned, shut, hebrew] = ['Room \u202E1', 'Bern\u2069 \u2067', 'חדר 4']

test('words of others keep their direction to themselves, in the text and in its tooltip', () => {
  expect(renderToStaticMarkup(createElement(NameText, { name: shut }))).toBe(
    '<bdi dir="auto" title="Bern ">Bern </bdi>',
  )
  expect(renderToStaticMarkup(createElement(Isolated, { title: turned }, 'At ', turned, createElement('b')))).toBe(
    '<bdi title="Room 1">At Room 1<b></b></bdi>',
  )
})

test('names that stand in one line are apart from each other', () => {
  const places = [turned, hebrew, shut].map((name, index) => ({ id: String(index), kind: 'site' as const, name }))
  expect(placeWords(incidentOf('a', { places }))).toBe('Room 1 · \u2068חדר 4\u2069 · Bern ')
  expect(whereWords({ tenant: hebrew, site: turned }, incidentOf('a', { places: [] }))).toBe(
    '\u2068חדר 4\u2069 · Room 1',
  )
})

test('a name within a sentence turns none of it', () => {
  expect(noneCalled({ field: 'site', value: shut, exact: '', loose: '', filter: '' })).toBe('No site is called Bern .')
  expect(offerWords('site', [{ name: hebrew, notOffered: ['site'] }, { name: 'B' }])).toBe(
    'Not offered by \u2068חדר 4\u2069',
  )
  const silent = { why: 'quiet' as const, until: null, name: turned }
  expect(silentWords(incidentOf('a', { silent }), 0, 'utc')).toBe('Quiet: Room 1')
})
