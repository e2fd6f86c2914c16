import { bodyOf, titleOf } from '../support/messages.ts'
import process from 'node:process'
import type { ConnectionInput } from '../../src-shared/model/connection.ts'
import { createLeftovers, openConsole } from '../support/fleet.ts'

/** The output of a core that is to be killed: each notification, and when it is live and synced. */
export type CoreSaid =
  | { told: { id: string; kind: string; title: string; body: string; device: string | null } }
  | { readyAt: number }

/** A core in a process of its own. It gets its profile and connection by message, so that no secret is an argument. */
process.once('message', (given) => {
  const { profile, connection } = given as { profile: string; connection: ConnectionInput }
  void run(profile, connection)
})
process.once('disconnect', () => process.exit(0))

async function run(profile: string, connection: ConnectionInput): Promise<void> {
  const say = (said: CoreSaid) => void process.send?.(said)
  const { core, call } = await openConsole(createLeftovers(), profile)
  core.on('notification', (told) =>
    say({ told: { id: told.id, kind: told.kind, title: titleOf(told), body: bodyOf(told), device: told.open.device } }),
  )
  let isReady = false
  core.on('connections', ([state]) => {
    if (isReady || state?.link.state !== 'live' || state.lastReadingAt === null || state.sync.state !== 'idle') return
    isReady = true
    say({ readyAt: Date.now() })
  })
  await call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1, groupingSeconds: 1 })
  const [known] = (await call('app.state', {})).connections
  await call('connections.save', { ...connection, id: known?.id ?? null })
}
