import { expect, test } from 'vitest'
import { openingText } from '../../../src-renderer/settings/sections/link-opening.tsx'

test("an AppImage's links say where they point, and what prevents them", () => {
  const here = '/home/ann/Muster.AppImage'
  expect(openingText({ here, named: null, chosen: false })).toMatch(/^No desktop file opens/u)
  expect(openingText({ here, named: '/opt/Muster.AppImage', chosen: true })).toMatch(
    /another AppImage: \/opt\/Muster\.AppImage$/u,
  )
  expect(openingText({ here, named: here, chosen: true })).toMatch(
    /with this AppImage: \/home\/ann\/Muster\.AppImage\. Where it is moved/u,
  )
  expect(openingText({ here, named: here, chosen: false })).toMatch(
    /But the desktop gives them to another application\.$/u,
  )
  expect(openingText({ here, named: here, chosen: null })).toContain('This computer has no xdg-mime')
})
