import { expect, test } from 'vitest'
import { dimmedBy, nextPage, pagesNow } from '../../../src-renderer/wall/pages.ts'

test('a page of incidents is shown while there are any, and when it is the only one', () => {
  expect(pagesNow(['tenants', 'incidents', 'map'], 2)).toEqual(['map', 'incidents', 'tenants'])
  expect(pagesNow(['tenants', 'incidents', 'map'], 0)).toEqual(['map', 'tenants'])
  expect(pagesNow(['incidents'], 0)).toEqual(['incidents'])
})

test('pages follow each other in a circle, and the first one a page that is gone', () => {
  const pages = pagesNow(['map', 'incidents', 'tenants'], 1)
  expect(nextPage(pages, 'map', 1)).toBe('incidents')
  expect(nextPage(pages, 'tenants', 1)).toBe('map')
  expect(nextPage(pages, 'map', -1)).toBe('tenants')
  expect(nextPage(['map', 'tenants'], 'incidents', 1)).toBe('map')
})

test('the display is darker within its hours, also over midnight, in the zone of the times', () => {
  const at = (hour: number) => Date.UTC(2026, 10, 24, hour, 30)
  const dimmed = (from: number, until: number) =>
    Array.from({ length: 24 }, (_, hour) => hour).filter(
      (hour) => dimmedBy({ wallDimPercent: 40, wallDimFrom: from, wallDimUntil: until }, at(hour), 'utc') === 0.4,
    )
  expect(dimmed(22, 6)).toEqual([0, 1, 2, 3, 4, 5, 22, 23])
  expect(dimmed(1, 4)).toEqual([1, 2, 3])
  expect(dimmed(5, 5)).toEqual([])
  expect(dimmedBy({ wallDimPercent: 0, wallDimFrom: 0, wallDimUntil: 23 }, at(3), 'utc')).toBe(0)
})
