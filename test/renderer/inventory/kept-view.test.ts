import { expect, test } from 'vitest'
import { keptView } from '../../../src-renderer/inventory/stored-view.ts'
import { firstView } from '../../../src-renderer/inventory/filter/view.ts'

function storage(text: string | null = null) {
  const held = { text }
  return { held, getItem: () => held.text, setItem: (_: string, value: string) => void (held.text = value) }
}

test('the last query is restored: place, filter and order', () => {
  const asked = { chosen: 'v1', view: { ...firstView, path: [{ id: 't:a/b', name: 'Acme' }], filter: 'model~Studio' } }
  const store = storage()
  keptView(store).write(asked)
  expect(keptView(store).read()).toEqual(asked)
})

test('no stored query, an invalid one and a closed storage are the default query', () => {
  for (const text of [null, '', '{', '{"view":{}}', '[]']) expect(keptView(storage(text)).read()).toBeNull()
  const closed = () => {
    throw new Error('forbidden')
  }
  const kept = keptView({ getItem: closed, setItem: closed })
  kept.write({ chosen: null, view: firstView })
  expect(kept.read()).toBeNull()
})
