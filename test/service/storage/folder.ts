import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommand } from '../../../src-service/command/commands.ts'
import { dig } from '../client.ts'

/** The path of a folder that is not there yet; gone when the test is over. */
export function freshFolder(): string {
  const parent = mkdtempSync(path.join(tmpdir(), 'muster-data-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return path.join(parent, 'data')
}

/** A data folder with the administrator `ann`, and its commands, which open it anew each time as another process would. */
export function managedFolder() {
  const data = freshFolder()
  const command = (...args: string[]): unknown => runCommand([...args, '--data', data])
  command('users', 'create', 'ann', '--admin')
  const asAnn = (...args: string[]): unknown => command(...args, '--as', 'ann')
  /** The pair of a new set, and its id alone for further commands. */
  const makeSet = (...options: string[]) => {
    const made = asAnn('credentials', 'create', '--name', 'A set', ...options)
    return { clientId: String(dig(made, 'client_id')), clientSecret: String(dig(made, 'client_secret')) }
  }
  return { data, command, asAnn, makeSet }
}
