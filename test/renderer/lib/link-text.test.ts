import { expect, it } from 'vitest'
import { followAddress, linkText, type Addressed } from '../../../src-renderer/lib/link-text.ts'
import { linkLimit, parseLink } from '../../../src-shared/navigation/link.ts'
import { settle } from '../../support/clock.ts'
import { corePipe } from '../support/pipe-stub.ts'

it("a link is muster:// in the desktop application, and the window's address in a browser", () => {
  const link = { to: 'devices', scope: 's:a/b', filter: 'connected:no' } as const
  expect(linkText(link, 'electron', 'app://muster')).toBe('muster://devices?scope=s%3Aa%2Fb&filter=connected%3Ano')
  expect(linkText(link, 'web', 'http://127.0.0.1:4711')).toBe(
    'http://127.0.0.1:4711/#devices?scope=s%3Aa%2Fb&filter=connected%3Ano',
  )
  expect(linkText({ to: 'device', key: 'k'.repeat(linkLimit) }, 'web', 'http://127.0.0.1:4711')).toBeNull()
})

it("a link in the browser's address is opened once the core is reached, and removed there", async () => {
  const opened: unknown[] = []
  const { pipe, asked } = corePipe({
    'links.read': (input) => ({ open: 'problem' in parseLink((input as { link: string }).link) ? null : input }),
  })
  let reach: (reached: boolean) => void = () => {}
  let change = () => {}
  const location = { hash: '#device/a', pathname: '/', search: '' }
  const around = {
    location,
    history: {
      replaceState: (_state: unknown, _title: string, url: string) => (location.hash = url.split('#')[1] ?? ''),
    },
    addEventListener: (_name: string, listener: () => void) => (change = listener),
    removeEventListener: () => (change = () => {}),
  }
  const off = followAddress(
    {
      pipe: { ...pipe, onReach: (listener) => ((reach = listener), () => {}) },
      open: (what) => void opened.push(what),
    },
    around as unknown as Addressed,
  )
  await settle()
  expect([asked, location.hash]).toEqual([[], ''])
  reach(true)
  reach(false)
  reach(true)
  await settle()
  location.hash = '#incident/b'
  change()
  await settle()
  location.hash = '#nowhere'
  change()
  await settle()
  expect(opened).toEqual([{ link: 'muster://device/a' }, { link: 'muster://incident/b' }])
  expect(asked).toHaveLength(3)
  off()
  location.hash = '#incident/c'
  change()
  await settle()
  expect(asked).toHaveLength(3)
})
