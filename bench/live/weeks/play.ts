import path from 'node:path'
import { everything, type Notification } from '../../../src-shared/model/inventory.ts'
import { siteNode } from '../../../src-main/inventory/keys.ts'
import { openRig, type Rig } from '../simulated/rig.ts'
import { messageTitle } from '../../../src-shared/text/messages.ts'
import { hour, type Notice } from './cause.ts'
import type { Act, Maintenance, Week } from './script.ts'
import type { World } from '../../../src-service/world/world.ts'

/** The notifications in a played week. */
export interface Played {
  week: Week
  /** By Muster. */
  notified: Notice[]
  /**
   * By a client with a toast for each event, which receives the same events while there is a network and the lid is
   * open.
   */
  toasted: Notice[]
}

export interface PlayOptions {
  devices: number
  tenants: number
  seed: number
  write: (world: World, start: number, seed: number) => Week
}

/** A Monday; the week begins at its first hour. */
const monday = Date.parse('2026-11-23T00:00:00Z')

/** Plays a week with default settings. */
export async function play({ devices, tenants, seed, write }: PlayOptions): Promise<Played> {
  const notices: Promise<Notice>[] = []
  let onNotified: (notified: Notification) => void = () => {}
  const rig = await openRig({
    devices,
    tenants,
    seed,
    tokenSeconds: 86_400,
    start: monday - hour,
    settings: {},
    dataThread: path.resolve('src-main/inventory/thread/thread.ts'),
    onNotification: (notified) => onNotified(notified),
  })
  try {
    onNotified = (notified) => void notices.push(noticeOf(rig, notified))
    const week = write(rig.service.world, monday, seed)
    for (const window of week.maintenance) await setMaintenance(rig, window)
    const toasted: Notice[] = []
    await perform(rig, week.acts, toasted)
    await rig.pass(2 * hour)
    return { week, notified: await Promise.all(notices), toasted }
  } finally {
    await rig.stop()
  }
}

async function perform(rig: Rig, acts: readonly Act[], toasted: Notice[]): Promise<void> {
  const { clock, service } = rig
  let wakesAt: number | null = null
  for (const act of acts) {
    if (wakesAt !== null && act.at >= wakesAt) {
      wake(rig, wakesAt)
      wakesAt = null
    }
    if (wakesAt !== null) clock.sleep(act.at - clock.now())
    else await rig.pass(Math.max(0, act.at - clock.now()))
    if (act.do === 'sleep') {
      wakesAt = act.until
      service.sockets.silence()
    } else if (act.do === 'reach') service.reach(act.reachable)
    else {
      if (wakesAt === null && service.reachable()) toasted.push(toast(act, clock.now()))
      service.world.setConnected(act.id, act.connected)
    }
    if (wakesAt === null) await rig.settle()
  }
  if (wakesAt !== null) wake(rig, wakesAt)
}

/** Wakes the computer; the service has long closed its sockets. */
function wake({ clock, service }: Rig, at: number): void {
  clock.sleep(at - clock.now())
  service.sockets.cut()
}

function toast({ id, connected }: Extract<Act, { do: 'connect' }>, at: number): Notice {
  return {
    id: `${id} ${at}`,
    at,
    kind: connected ? 'recovered' : 'offline',
    ids: new Set([id]),
    title: `${id} is ${connected ? 'back' : 'offline'}`,
  }
}

/** Sets a maintenance window for a site, as an operator does before it begins. */
async function setMaintenance({ core, clock }: Rig, { siteId, id, from, until }: Maintenance): Promise<void> {
  const { rows } = await core.handlers['inventory.rows']({
    query: { scope: everything, filter: `id:"${id}"`, sort: [] },
    offset: 0,
    limit: 1,
  })
  const node = siteNode(rows[0]?.tenant.key ?? '', siteId)
  await core.handlers['maintenance.save']({
    id: `maintenance ${siteId}`,
    name: 'Maintenance',
    node,
    nodeName: rows[0]?.site?.name ?? '',
    when: { kind: 'once', from, until },
    zone: null,
    createdAt: clock.now(),
    until: null,
  })
}

/** Resolves with a notification and the devices that its target shows. */
async function noticeOf({ core, clock }: Rig, { id, kind, message, open }: Notification): Promise<Notice> {
  const at = clock.now()
  const { keys } = await core.handlers['inventory.keys']({
    query: { scope: open.scope === '' ? everything : open.scope, filter: open.filter, sort: [] },
    offset: 0,
    limit: 2000,
  })
  const all = open.device === null ? keys : [open.device]
  const title = messageTitle(message, (time) => new Date(time).toISOString())
  return { id, at, kind, title, ids: new Set(all.map((key) => decodeURIComponent(key.split('/').at(-1) ?? ''))) }
}
