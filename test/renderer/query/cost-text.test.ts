import { expect, test } from 'vitest'
import { costText } from '../../../src-renderer/query/cost-text.ts'
import type { Estimate } from '../../../src-shared/model/gauge.ts'

const estimate: Estimate = {
  likely: 12.2,
  atMost: 40,
  certainty: 'learned',
  limit: 10_000,
  exceedsLimit: false,
  waitsUntil: null,
  split: null,
}

test.each<[Partial<Estimate> & { left?: number }, string, string, boolean]>([
  [{}, 'About 13, at most 40 points, learned from earlier answers', 'It goes now.', false],
  [{ likely: 5, atMost: 5, certainty: 'guess' }, '5 points, a guess', 'It goes now.', false],
  [{ waitsUntil: 38_500 }, 'About 13', 'It goes at the reset in 38 s.', false],
  [
    { likely: 1_200, atMost: 1_300, left: 10_000 },
    'About 1,200, at most 1,300 points, 12 % of what is left, learned',
    'It goes now.',
    false,
  ],
  [{ likely: 20, left: 10_000 }, ' points, < 1 % of what is left, learned', 'It goes now.', false],
  [{ likely: 20, left: 10 }, ' points, learned', 'It goes now.', false],
  [{ exceedsLimit: true }, 'About 13', 'It would be rejected: the service rejected pages of this size.', true],
  [{ waitsUntil: 900 }, 'About 13', 'It goes now.', false],
  [
    { likely: 19_006, atMost: 20_000, exceedsLimit: true, waitsUntil: 38_500 },
    'About 19,006, at most 20,000 points',
    'It would be rejected: 19,006 of 10,000 points.',
    true,
  ],
])('what an operation costs is told with what would happen: %j', (part, cost, verdict, rejected) => {
  const told = costText({ ...estimate, ...part }, 1_000)
  expect(told.cost).toContain(cost)
  expect([told.verdict, told.rejected]).toEqual([verdict, rejected])
})
