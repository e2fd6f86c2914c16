import type { StartArgs } from '../../shared/args.ts'

/** Who this Muster is to Windows, which ties notifications and the clicks on them to it. */
export interface Identity {
  /** Electron writes a link of this name into the Start menu, which leads to the program that runs. */
  name: string
  appUserModelId: string
  /** The same at each start: by this CLSID Windows starts what a notification of a former run is of. Electron notes the program under it. */
  activator: string
}

/** Those of the installed application are removed by packaging/installer.nsh. */
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

/** Each kind of start is somebody of its own, so that none of them takes the links and the clicks of the installed Muster. */
export function identityOf(packaged: boolean, { demo, profile }: Pick<StartArgs, 'demo' | 'profile'>): Identity {
  if (profile !== null) return packaged ? identities.profile : identities.checkoutProfile
  if (demo) return packaged ? identities.demo : identities.checkoutDemo
  return packaged ? identities.own : identities.checkout
}
