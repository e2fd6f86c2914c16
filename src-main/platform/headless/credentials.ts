import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { ConnectionRecord } from '../../connections/stored/record.ts'
import type { Secrets } from '../../ports.ts'
import { teamPassword } from '../../team/stored.ts'

/** Where systemd puts a unit's credentials (`LoadCredential=`, `LoadCredentialEncrypted=`): a folder in memory that only the unit reads. */
export interface CredentialsOptions {
  folder: string
  /** Returns the stored connections: their secrets have the names of their client ids. */
  records: () => readonly Pick<ConnectionRecord, 'id' | 'clientId'>[]
}

/** Returns the name of the credential with a connection's client secret, for example `client-secret.ops-eu`. */
export const credentialName = (clientId: string): string =>
  `client-secret.${clientId.trim().replaceAll(/[^\w.@:-]/gu, '_')}`

const channelAccount = 'channel:'

/** Opens systemd's credentials as the store of secrets. It is read-only: what the unit loads is all there is. */
export function openCredentials({ folder, records }: CredentialsOptions): Secrets {
  const rejected = () => Promise.reject(new FaultError('keychain', 'systemd’s credentials are read-only.'))
  return {
    kind: 'keychain',
    detail: 'systemd credentials',
    async get(account) {
      if (account.startsWith(channelAccount))
        return readCredential(folder, `channel.${account.slice(channelAccount.length)}`)
      if (account === teamPassword) return readCredential(folder, 'team-password')
      const record = records().find(({ id }) => id === account)
      return record === undefined ? null : readCredential(folder, credentialName(record.clientId))
    },
    set: rejected,
    // There is nothing of Muster's in it.
    remove: async () => {},
    unlock: async () => {},
    onChange: () => () => {},
    stop() {},
  }
}

/** Returns a credential without the line break at its end; null where the unit does not load it. */
export async function readCredential(folder: string, name: string): Promise<string | null> {
  try {
    return (await readFile(path.join(folder, name), 'utf8')).replace(/\r?\n$/u, '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new FaultError('keychain', `The credential ${name} cannot be read.`)
  }
}
