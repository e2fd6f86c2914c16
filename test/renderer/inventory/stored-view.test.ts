import { expect, test } from 'vitest'
import { openStoredView } from '../../../src-renderer/inventory/stored-view.ts'
import { firstView } from '../../../src-renderer/inventory/filter/view.ts'

function storage(text: string | null = null) {
  const held = { text }
  return { held, getItem: () => held.text, setItem: (_: string, value: string) => void (held.text = value) }
}

test('the last query is restored: place, filter and order', () => {
  const asked = { chosen: 'v1', view: { ...firstView, path: [{ id: 't:a/b', name: 'Acme' }], filter: 'model~Studio' } }
  const store = storage()
  openStoredView(store).write(asked)
  expect(openStoredView(store).read()).toEqual(asked)
})

test('no stored query, an invalid one and a closed storage are the default query', () => {
  for (const text of [null, '', '{', '{"view":{}}', '[]']) expect(openStoredView(storage(text)).read()).toBeNull()
  const closed = () => {
    throw new Error('forbidden')
  }
  const stored = openStoredView({ getItem: closed, setItem: closed })
  stored.write({ chosen: null, view: firstView })
  expect(stored.read()).toBeNull()
})
