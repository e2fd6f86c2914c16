import { describe, expect, it } from 'vitest'
import { createArrivals, openLinksBy, readSecond, readStart } from '../../../src-main/desktop/links.ts'
import type { Core } from '../../../src-main/core.ts'
import { linkHandlers } from '../../../src-main/ipc/links.ts'
import { linkLimit } from '../../../src-shared/link.ts'
import { settle } from '../../support/clock.ts'

const link = 'muster://room/settings'

describe('the command line', () => {
  it('has a link wherever the system puts it, and nothing behind -- is a flag', () => {
    expect(readStart(['--no-demo', '--', link], false)).toMatchObject({ link, quiet: false, args: { demo: false } })
    expect(readStart([link], false)).toMatchObject({ link, args: { demo: true } })
    expect(readStart(['--', 'MUSTER://room/settings', '--profile=/tmp/other', '--hidden'], true)).toMatchObject({ link: 'MUSTER://room/settings', quiet: false, args: { profile: null } })
    expect(readStart(['--', 'https://elsewhere.example'], true).link).toBeNull()
    expect(readStart([`muster://device/${'k'.repeat(9000)}`], true).link).toHaveLength(linkLimit + 1)
  })

  it('of the installed application shows the demo only when asked, and leaves Chromium its own', () => {
    expect(readStart([], true)).toMatchObject({ link: null, quiet: false, args: { demo: false, profile: null } })
    expect(readStart(['--demo', '--hidden', '--devices', '12'], true)).toMatchObject({ quiet: true, args: { demo: true, devices: 12 } })
    expect(readStart(['--no-sandbox', '--enable-features=A,B', '--profile', '/tmp/p', '--ozone-platform=x11', 'word'], true).args).toMatchObject({ profile: '/tmp/p', demo: false })
    expect(() => readStart(['--no-sandbox'], false)).toThrow()
    expect(() => readStart(['--devices=many'], true)).toThrow('--devices needs a whole number')
  })

  it('of a second start comes as no more than a link and a word', () => {
    expect(readSecond({ link, quiet: true, more: 1 })).toEqual({ link, quiet: true })
    for (const told of [null, undefined, 'link', 7, [], { link: 7, quiet: 'yes' }]) expect(readSecond(told)).toEqual({ link: null, quiet: false })
  })
})

describe('links as they come', () => {
  it('wait for what opens them, the last of them', () => {
    const opened: string[] = []
    const arrivals = createArrivals('first')
    arrivals.take('second')
    arrivals.follow((one) => void opened.push(one))
    arrivals.take('third')
    expect(opened).toEqual(['second', 'third'])
    arrivals.follow((one) => void opened.push(`again ${one}`))
    expect(opened).toHaveLength(2)
    createArrivals(null).follow((one) => void opened.push(one))
    expect(opened).toHaveLength(2)
  })

  it('raise the window and open there; one that leads nowhere is said, until a good one comes', async () => {
    const [did, notices]: [unknown[], unknown[]] = [[], []]
    const handlers = linkHandlers({ all: () => [], say: (id, level, fault) => void notices.push([id, level, fault.kind, fault.detail]), take: (id) => void notices.push(id) }) as Core['handlers']
    const open = openLinksBy({ core: { handlers }, raise: () => void did.push('raise'), open: (what) => void did.push(what), log: () => {} })
    open('muster://room/kitchen')
    await settle()
    open(link)
    await settle()
    expect(did).toEqual(['raise', 'raise', { scope: 'all', filter: '', device: null, room: 'settings' }])
    expect(notices).toEqual([['link', 'info', 'link', 'It names nothing that Muster can open.'], 'link'])
  })
})
