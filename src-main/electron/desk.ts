import type { EventData } from '../../src-shared/contract.ts'
import type { Core } from '../core.ts'
import type { Situation } from './face.ts'
import type { ShownTray } from './tray.ts'

type Told = EventData<'tell'>

export interface DeskOptions {
  core: Pick<Core, 'handlers' | 'on'>
  tray: Pick<ShownTray, 'show'>
  notices: { show(told: Told): void }
  /** How many tellings nobody has looked at yet; 0 takes the mark away. */
  badge(unseen: number): void
  /** Whether the operator has the window before them now. */
  isLooking(): boolean
}

/** What the desktop shows of the core beside the window: one situation, told in tray, badge and notifications alike. */
export interface Desk {
  /** The operator looks at the window: what was told is seen. */
  seen(): void
  closeToTray(): boolean
  stop(): void
}

export async function startDesk(options: DeskOptions): Promise<Desk> {
  const { core, tray, notices, badge, isLooking } = options
  const offs: (() => void)[] = []
  const app = await core.handlers['app.state']({})
  const situation: Situation = { totals: app.totals, connections: app.connections, unseen: 0, pausedUntil: app.tellings.pausedUntil }
  let { settings } = app

  const change = (part: Partial<Situation>) => {
    Object.assign(situation, part)
    tray.show(situation)
  }
  const setUnseen = (unseen: number) => {
    if (unseen !== situation.unseen) badge(unseen)
    change({ unseen })
  }

  change({})
  offs.push(
    core.on('patch', ({ totals }) => change({ totals })),
    core.on('connections', (connections) => change({ connections })),
    core.on('settings', (now) => (settings = now)),
    core.on('tellings', ({ pausedUntil }) => change({ pausedUntil })),
    core.on('tell', (told) => {
      notices.show(told)
      if (told.kind === 'offline' && !isLooking()) setUnseen(situation.unseen + 1)
    }),
  )
  return {
    seen: () => setUnseen(0),
    closeToTray: () => settings.closeToTray,
    stop: () => offs.forEach((off) => off()),
  }
}
