import { renderToStaticMarkup } from 'react-dom/server'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { placeText, suppressedText, locationText } from '../../../src-renderer/incidents/format.ts'
import { noMatchText } from '../../../src-renderer/inventory/filter/relaxed-filter.ts'
import { NameText } from '../../../src-renderer/lib/ui/name-text.tsx'
import { Isolated } from '../../../src-renderer/lib/ui/isolated.tsx'
import { suggestionText } from '../../../src-renderer/lib/format/suggested.ts'
import { incidentOf } from '../support/incident-stub.ts'

const [turned, shut, hebrew] = ['Room \u202E1', 'Bern\u2069 \u2067', 'חדר 4']

test('foreign text is isolated in its direction, in the text and in its tooltip', () => {
  expect(renderToStaticMarkup(createElement(NameText, { name: shut }))).toBe(
    '<bdi dir="auto" title="Bern ">Bern </bdi>',
  )
  expect(renderToStaticMarkup(createElement(Isolated, { title: turned }, 'At ', turned, createElement('b')))).toBe(
    '<bdi title="Room 1">At Room 1<b></b></bdi>',
  )
})

test('names in one line are isolated from each other', () => {
  const places = [turned, hebrew, shut].map((name, index) => ({ id: String(index), kind: 'site' as const, name }))
  expect(placeText(incidentOf('a', { places }))).toBe('Room 1 · \u2068חדר 4\u2069 · Bern ')
  expect(locationText({ tenant: hebrew, site: turned }, incidentOf('a', { places: [] }))).toBe(
    '\u2068חדר 4\u2069 · Room 1',
  )
})

test('a name within a sentence turns none of it', () => {
  expect(noMatchText({ field: 'site', value: shut, exact: '', loose: '', filter: '' })).toBe('No site is called Bern .')
  expect(suggestionText('site', [{ name: hebrew, notOffered: ['site'] }, { name: 'B' }])).toBe(
    'Not offered by \u2068חדר 4\u2069',
  )
  const suppressed = { why: 'maintenance' as const, until: null, name: turned }
  expect(suppressedText(incidentOf('a', { suppressed }), 0, 'utc')).toBe('Maintenance: Room 1')
})
