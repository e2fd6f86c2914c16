import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Core } from '../../../src-main/core.ts'
import { followPast } from '../../../src-main/desktop/past.ts'
import { settle } from '../../support/clock.ts'
import { incident, told } from '../tray/situation.ts'

const back = told('a-back', { kind: 'recovered', open: { scope: 'back', filter: '', device: null, incident: 'a' } })

function started(platform: NodeJS.Platform, live: string[] = [], recent = [back, told('a'), told('live')]) {
  const opened: unknown[] = []
  let activate = (_type: string, _text: string) => {}
  const stored = Object.assign(new EventEmitter(), { id: 'a', closed: 0, close: () => void (stored.closed += 1) })
  const handlers = {
    'app.state': async () => ({ tellings: { recent } }),
    'incidents.show': async ({ id }: { id: string }) => ({ shown: id === 'old' ? { incident: incident('old') } : null }),
  } as unknown as Core['handlers']
  const past = followPast({
    platform, core: { handlers }, history: async () => [stored as never], isLive: (id) => live.includes(id), open: (what) => void opened.push(what),
    onActivation: (listener) => (activate = (type, text) => listener({ type, arguments: text })),
  })
  return { past, opened, stored, activate: (type: string, text: string) => activate(type, text) }
}

it('macOS: a notification of a former run opens what was told last by its id, and is kept to be clicked', async () => {
  const { past, opened, stored } = started('darwin')
  expect(await past).toEqual([stored])
  stored.emit('click')
  await settle()
  expect([opened, stored.closed]).toEqual([[back.open], 1])
})

it('Windows: so does a click that its own notification cannot hear any more, also when it started Muster', async () => {
  const { past, opened, activate } = started('win32', ['live'])
  expect(await past).toEqual([])
  for (const [type, text] of [['click', 'type=click&tag=a'], ['click', 'type=click&tag=live'], ['action', 'type=action&tag=a'], ['click', ''], ['click', 'tag=old'], ['click', 'tag=nobody']] as const) {
    activate(type, text)
    await settle()
  }
  expect(opened).toEqual([back.open, { ...incident('old').open, incident: 'old' }])
})

it('Linux: nothing is asked of a system that hands no such clicks on; where the core cannot answer, nothing opens', async () => {
  const linux = started('linux')
  expect(await linux.past).toEqual([])
  const broken = followPast({
    platform: 'darwin', core: { handlers: {} as Core['handlers'] }, history: async () => { throw new Error('not signed') }, isLive: () => false,
    open: () => { throw new Error('nothing to open') }, onActivation: () => { throw new Error('not here') },
  })
  expect(await broken).toEqual([])
})
