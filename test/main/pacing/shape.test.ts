import { expect, test } from 'vitest'
import { shapeOf } from '../../../src-main/pacing/cost/shape.ts'

test('white space and comments make no other shape, another field does', () => {
  const one = shapeOf('query A { tenants { id name } }')
  expect(shapeOf('query A {\n  # all of them\n  tenants { id, name }\n}')).toEqual(one)
  expect(shapeOf('query A { tenants { id } }').key).not.toBe(one.key)
})

test('deep fields weigh more, and fields below edges weigh for each item', () => {
  expect(shapeOf('{ tenants { id name region { id } } }')).toMatchObject({ once: 1 + 2 + 2 + 2 + 3, each: 0 })
  expect(shapeOf('{ deviceSearch { edges { node { id site { name } } } pageInfo { totalCount } } }')).toMatchObject({
    once: 1 + 2 + 2 + 3,
    each: 3 + 4 + 4 + 5,
  })
})

test('a fragment weighs where it is spread, also one that spreads itself', () => {
  const spread = shapeOf('{ deviceSearch { edges { node { ...f } } } } fragment f on Device { id name }')
  expect(spread).toMatchObject(weights(shapeOf('{ deviceSearch { edges { node { id name } } } }')))
  expect(shapeOf('{ tenants { ...f } } fragment f on Tenant { id ...f }')).toMatchObject({ once: 3 })
})

test('fragments within fragments are weighed once, however often they are spread', () => {
  const names = Array.from({ length: 200 }, (_, index) => `f${index}`)
  const fragments = names.map(
    (name, index) =>
      `fragment ${name} on D { ${index === 199 ? 'id' : `a { ...${names[index + 1]} } b { ...${names[index + 1]} }`} }`,
  )
  expect(shapeOf(`{ d { ...f0 } } ${fragments.join(' ')}`).once).toBeGreaterThan(2 ** 190)
})

test('a text that is no document is rejected', () => {
  expect(() => shapeOf('{ tenants')).toThrow(/Syntax Error/)
})

function weights({ once, each }: { once: number; each: number }) {
  return { once, each }
}
