import { describe, expect, it } from 'vitest'
import {
  restartFlags,
  createDeepLinks,
  createLinkOpener,
  readSecondStart,
  readStart,
} from '../../../../src-main/platform/desktop/links/deep-links.ts'
import type { Core } from '../../../../src-main/core.ts'
import { linkHandlers } from '../../../../src-main/ipc/links.ts'
import { linkLimit } from '../../../../src-shared/navigation/link.ts'
import { settle } from '../../../support/clock.ts'

const link = 'muster://room/settings'

describe('the command line', () => {
  it('has a link wherever the system puts it, and nothing behind -- is a flag', () => {
    expect(readStart(['--no-demo', '--', link], false)).toMatchObject({ link, quiet: false, args: { demo: false } })
    expect(readStart([link], false)).toMatchObject({ link, args: { demo: true } })
    expect(readStart(['--', 'MUSTER://room/settings', '--profile=/tmp/other', '--hidden'], true)).toMatchObject({
      link: 'MUSTER://room/settings',
      quiet: false,
      args: { profile: null },
    })
    expect(readStart(['--', 'https://elsewhere.example'], true).link).toBeNull()
    expect(readStart([`muster://device/${'k'.repeat(9000)}`], true).link).toHaveLength(linkLimit + 1)
  })

  it("of the installed application shows the demo only when asked, and keeps Chromium's flags", () => {
    expect(readStart([], true)).toMatchObject({ link: null, quiet: false, args: { demo: false, profile: null } })
    expect(readStart(['--demo', '--hidden', '--devices', '12'], true)).toMatchObject({
      quiet: true,
      args: { demo: true, devices: 12 },
    })
    expect(
      readStart(['--no-sandbox', '--enable-features=A,B', '--profile', '/tmp/p', '--ozone-platform=x11', 'word'], true)
        .args,
    ).toMatchObject({ profile: '/tmp/p', demo: false })
    expect(() => readStart(['--no-sandbox'], false)).toThrow()
    expect(() => readStart(['--devices=many'], true)).toThrow('--devices needs a whole number')
  })

  it('opens the wall display, unless a link says otherwise', () => {
    expect(readStart(['--wall'], false)).toMatchObject({ link: 'muster://wall', quiet: false, args: { wall: true } })
    expect(readStart(['--wall', '--profile=/tmp/p'], true)).toMatchObject({ link: 'muster://wall' })
    expect(readStart(['--wall', '--', link], true)).toMatchObject({ link, args: { wall: true } })
  })

  it('of a second start arrives as no more than a link and a flag', () => {
    expect(readSecondStart({ link, quiet: true, more: 1 })).toEqual({ link, quiet: true })
    for (const notification of [null, undefined, 'link', 7, [], { link: 7, quiet: 'yes' }])
      expect(readSecondStart(notification)).toEqual({ link: null, quiet: false })
  })
})

describe('a start by Muster itself', () => {
  it("shows its window and opens no link again; Chromium's flags stay", () => {
    expect(restartFlags(['--hidden', '--ozone-platform=x11', '--no-sandbox'])).toEqual([
      '--ozone-platform=x11',
      '--no-sandbox',
    ])
    expect(restartFlags(['--updated', '--appimage-extract-and-run', 'MUSTER://room/settings'])).toEqual([])
    expect(restartFlags(['--no-sandbox', '--', link, '--profile=/tmp/other'])).toEqual(['--no-sandbox'])
  })
})

describe('links and starts as they arrive', () => {
  function shown() {
    const did: string[] = []
    return { did, shows: { open: (one: string) => void did.push(one), raise: () => void did.push('raised') } }
  }

  it('links wait for the window, and the last of them opens', () => {
    const { did, shows } = shown()
    const arrivals = createDeepLinks()
    expect(arrivals.hasLink()).toBe(false)
    arrivals.receive({ link: 'first', quiet: true })
    arrivals.receive({ link: 'second', quiet: false })
    expect(arrivals.hasLink()).toBe(true)
    arrivals.follow(shows)
    arrivals.receive({ link: 'third', quiet: true })
    expect(did).toEqual(['second', 'third'])
    expect(arrivals.hasLink()).toBe(false)
    const again = shown()
    arrivals.follow(again.shows)
    expect(again.did).toEqual([])
  })

  it('an early second start raises the window once it is there, unless it is hidden', () => {
    const { did, shows } = shown()
    const arrivals = createDeepLinks()
    arrivals.receive({ link: null, quiet: false })
    arrivals.receive({ link: null, quiet: true })
    expect(arrivals.hasLink()).toBe(false)
    arrivals.follow(shows)
    expect(did).toEqual(['raised'])
    arrivals.receive({ link: null, quiet: true })
    arrivals.receive({ link: null, quiet: false })
    expect(did).toEqual(['raised', 'raised'])
    const quiet = shown()
    const another = createDeepLinks()
    another.receive({ link: null, quiet: true })
    another.follow(quiet.shows)
    expect(quiet.did).toEqual([])
  })

  /** A Muster that knows one place and one extra column. */
  function reading(connections = 1) {
    const banners: unknown[] = []
    const here = {
      columns: () => ['firmware'],
      connections: () => connections,
      knows: async (scope: string) => scope === 't:known',
      hasOperation: async (id: string) => id === 'known',
    }
    const handlers = linkHandlers(
      {
        all: () => [],
        show: (id, level, fault) => void banners.push([id, level, fault.kind, fault.detail]),
        remove: (id) => void banners.push(id),
      },
      here,
    ) as Core['handlers']
    return { banners, handlers, read: async (link: string) => (await handlers['links.read']({ link })).open }
  }

  it('raise the window and open there; an invalid one is reported until a valid one comes', async () => {
    const did: unknown[] = []
    const { banners, handlers } = reading()
    const open = createLinkOpener({
      core: { handlers },
      raise: () => void did.push('raise'),
      open: (what) => void did.push(what),
      log: () => {},
    })
    open('muster://room/kitchen')
    await settle()
    open(link)
    await settle()
    expect(did).toEqual(['raise', 'raise', { scope: 'all', filter: '', device: null, screen: 'settings' }])
    expect(banners).toEqual([['link', 'info', 'link', 'It names nothing that Muster can open.'], 'link'])
  })

  it('open no other place than theirs: an unknown one is reported', async () => {
    const { banners, read } = reading()
    expect(await read('muster://devices?scope=zzz&filter=studio')).toBeNull()
    expect(banners).toEqual([['link', 'info', 'link-unknown', '']])
    expect(await read('muster://devices?scope=t%3Aknown&filter=studio')).toMatchObject({
      scope: 't:known',
      filter: 'studio',
    })
    expect(await read('muster://devices?filter=studio')).toMatchObject({ scope: 'all', filter: 'studio' })
    expect(banners.slice(1)).toEqual(['link', 'link'])
  })

  it('open the page of a tenant, an account or a site that is known, and of nothing else', async () => {
    const { banners, read } = reading()
    expect(await read('muster://place/t%3Aknown')).toMatchObject({ screen: 'overview', place: 't:known' })
    expect(await read('muster://place/t%3Azzz')).toBeNull()
    expect(await read('muster://place/all')).toBeNull()
    expect(banners.map((each) => (Array.isArray(each) ? each[2] : each))).toEqual([
      'link',
      'link-unknown',
      'link-unknown',
    ])
  })

  it('do not ask for an unknown field', async () => {
    const { banners, read } = reading()
    expect(await read('muster://devices?filter=badfield%3A%3C%3C')).toBeNull()
    expect(banners).toEqual([['link', 'info', 'link-unknown', 'There is no field “badfield” here.']])
    expect(await read('muster://devices?filter=firmware%3A2.1')).toMatchObject({ filter: 'firmware:2.1' })
    expect(banners.slice(1)).toEqual(['link'])
  })

  it('to a device say so where no connection could see it', async () => {
    const empty = reading(0)
    expect(await empty.read('muster://device/nonsense-abc')).toBeNull()
    expect(empty.banners).toEqual([['link', 'info', 'link-unknown', '']])
    expect(await empty.read('muster://room/incidents')).toMatchObject({ screen: 'incidents' })
    expect(await reading().read('muster://device/nonsense-abc')).toMatchObject({ device: 'nonsense-abc' })
  })

  it('to a saved operation, or with the text of one, open it, and say so where there is none', async () => {
    const { banners, read } = reading()
    expect(await read('muster://operation/known')).toMatchObject({ screen: 'query', operation: 'known' })
    expect(await read('muster://query?document=e2F9')).toMatchObject({ query: { document: '{a}', variables: '' } })
    expect(await read('muster://operation/other')).toBeNull()
    expect(await read('muster://query?document=%7Ba%7D')).toBeNull()
    expect(await read('muster://query?variables=e30')).toBeNull()
    expect(banners.slice(2)).toEqual([
      ['link', 'info', 'link-unknown', 'There is no such saved operation here.'],
      ['link', 'info', 'link', 'It names nothing that Muster can open.'],
      ['link', 'info', 'link', 'It names nothing that Muster can open.'],
    ])
  })
})
