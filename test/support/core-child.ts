import { createLeftovers, openConsole } from './fleet.ts'
import type { ConnectionInput } from '../../src-shared/model/connection.ts'

/** A core in a process of its own, for tests that kill it. It gets its profile and connection by message, so that no secret is an argument. */
process.once('message', (told) => {
  const { profile, connection } = told as { profile: string; connection: ConnectionInput }
  void openConsole(createLeftovers(), profile).then((muster) => muster.call('connections.save', connection))
})
