import type { EventData } from '../../src-shared/contract.ts'
import { noticeId } from '../../src-shared/notice.ts'
import type { Core } from '../core.ts'

/** A notification of a former run, as Electron's `Notification` has it. */
export interface Past {
  readonly id: string
  on(event: 'click', listener: () => void): unknown
  close(): void
}

export interface PastOptions {
  platform: NodeJS.Platform
  core: Pick<Core, 'handlers'>
  /** macOS: what still stands there; empty when the application is not signed. */
  history(): Promise<Past[]>
  /** Windows: hears each click, also the one that started Muster. */
  onActivation(listener: (details: { type: string; arguments: string }) => void): void
  /** Whether a notification of this run hears its own clicks. */
  isLive(id: string): boolean
  open(what: EventData<'open'>): void
}

/**
 * A click on a notification of a former run opens what it told of, where the system hands such clicks on: macOS and
 * Windows. On Linux the digest and the tray lead there. Answers what is to be kept, or macOS' clicks are lost.
 */
export async function followPast({ platform, core, history, onActivation, isLive, open }: PastOptions): Promise<unknown[]> {
  const openTold = async (id: string) => {
    const what = await toldAs(core, id)
    if (what !== null) open(what)
  }
  if (platform === 'win32') {
    onActivation(({ type, arguments: text }) => {
      // Electron's own toasts carry their id as `tag`.
      const id = new URLSearchParams(text).get('tag')
      if (type === 'click' && id !== null && !isLive(id)) void openTold(id)
    })
  }
  const past = platform === 'darwin' ? await history().catch(() => []) : []
  for (const notification of past) {
    notification.on('click', () => {
      notification.close()
      void openTold(notification.id)
    })
  }
  return past
}

/** What the newest telling by this id opens, or the incident of that id; null for what is known no longer. */
async function toldAs({ handlers }: Pick<Core, 'handlers'>, id: string): Promise<EventData<'open'> | null> {
  try {
    const { tellings } = await handlers['app.state']({})
    const told = tellings.recent.find((one) => noticeId(one) === id)
    if (told !== undefined) return told.open
    const { shown } = await handlers['incidents.show']({ id: id.slice(0, 64) })
    return shown === null ? null : { ...shown.incident.open, incident: id }
  } catch {
    // The window is there all the same, and the list of what was told.
    return null
  }
}
