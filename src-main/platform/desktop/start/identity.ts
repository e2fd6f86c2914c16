import type { StartArgs } from '../../shared/args.ts'

/** The identity of this Muster on Windows, which connects notifications and their clicks to it. */
export interface Identity {
  /** Name of the link that Electron writes into the Start menu, which leads to the running program. */
  name: string
  appUserModelId: string
  /**
   * The CLSID, equal at each start, by which Windows starts the program of an earlier run's notification. Electron
   * registers the program under it.
   */
  activator: string
}

/** Packaging/installer.nsh removes those of the installed application. */
const identities = {
  own: { name: 'Muster', appUserModelId: 'muster.console', activator: '{7D1F6C52-3B0E-4E0B-9C51-6F5C2A9E84D3}' },
  demo: {
    name: 'Muster Demo',
    appUserModelId: 'muster.console.demo',
    activator: '{A0CEE8BB-0694-42D3-B6C5-8DF268206231}',
  },
  profile: {
    name: 'Muster (other profile)',
    appUserModelId: 'muster.console.profile',
    activator: '{870DE3A4-9BAC-4045-A4F8-EE7A4583904D}',
  },
  checkout: {
    name: 'Muster (checkout)',
    appUserModelId: 'muster.checkout',
    activator: '{0CC24CFE-6B47-4AE1-AC80-3696C8018369}',
  },
  checkoutDemo: {
    name: 'Muster Demo (checkout)',
    appUserModelId: 'muster.checkout.demo',
    activator: '{0DE57098-DA15-4643-8579-45AD1558B7D4}',
  },
  checkoutProfile: {
    name: 'Muster (checkout, other profile)',
    appUserModelId: 'muster.checkout.profile',
    activator: '{3E39C728-A888-47FD-9A94-2CA21F769EFB}',
  },
} satisfies Record<string, Identity>

/**
 * Returns the identity of a start. Each kind has its own, so that none takes the links and clicks of the installed
 * Muster.
 */
export function identityOf(packaged: boolean, { demo, profile }: Pick<StartArgs, 'demo' | 'profile'>): Identity {
  if (profile !== null) return packaged ? identities.profile : identities.checkoutProfile
  if (demo) return packaged ? identities.demo : identities.checkoutDemo
  return packaged ? identities.own : identities.checkout
}
