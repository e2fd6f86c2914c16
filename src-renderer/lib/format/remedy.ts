import type { Fault, FaultKind } from '../../../src-shared/model/fault.ts'
import type { Notice } from '../../../src-shared/model/inventory.ts'

/** What a fault's words tell the operator to do, where one button does it. */
export type Remedy = 'unlock' | 'network' | 'settings'

const remedies: Partial<Record<FaultKind, Remedy>> = {
  'keychain-locked': 'unlock',
  'proxy-locked': 'unlock',
  'proxy-login': 'network',
  'proxy-refused': 'network',
  'settings-usual': 'settings',
}

export const remedyOf = ({ kind }: Fault): Remedy | null => remedies[kind] ?? null

export const remedyLabels = { network: 'Enter name and password', settings: 'Open the settings' } as const

/** Those that are shown: what waits for the keychain is not told beside the keychain itself. */
export const shownNotices = (notices: readonly Notice[]): readonly Notice[] =>
  notices.some(({ fault }) => fault.kind === 'keychain-locked')
    ? notices.filter(({ fault }) => fault.kind !== 'proxy-locked')
    : notices

/** What waits for it, where the fault itself and what to do are told beside it. */
export const waitingFor: Record<Remedy, string> = {
  unlock: 'It waits for the keychain.',
  network: 'It waits for the proxy.',
  settings: 'It waits for the settings.',
}
