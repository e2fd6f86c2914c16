/** The command line of Chromium, as Electron's `app.commandLine`. */
export interface CommandLine {
  hasSwitch(name: string): boolean
  removeSwitch(name: string): void
}

/**
 * Switches of Chromium that are always removed. The first accept invalid certificates or redirect names; certificate
 * errors cannot be ignored (design, invariant 8). The others write secrets to files: TLS keys, and headers and bodies
 * in a net log (a net log without them is allowed). `--proxy-server` and similar ones stay: the certificate behind a
 * proxy has to be valid too.
 */
const always = [
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'allow-insecure-localhost',
  'host-resolver-rules',
  'host-rules',
  'ssl-key-log-file',
  'net-log-capture-mode',
]
/** A debugger controls the page. From a checkout, developers and the tests on the runtime need it. */
const installed = ['remote-debugging-port', 'remote-debugging-pipe']

/** Removes the switches before anything reads them; returns those that were present. */
export function removeSwitches(line: CommandLine, packaged: boolean): string[] {
  const found = [...always, ...(packaged ? installed : [])].filter((name) => line.hasSwitch(name))
  for (const name of found) line.removeSwitch(name)
  return found
}

/**
 * Returns whether pages can have a sandbox. On Linux that is decided before Muster's code runs: an AppImage's start
 * script adds `--no-sandbox` where the system allows no user namespaces, and the process from which all others are
 * forked has none. Removing the switch there (as `app.enableSandbox` does) would make pages fail to start.
 */
export function canSandbox(line: Pick<CommandLine, 'hasSwitch'>, platform: NodeJS.Platform): boolean {
  return platform !== 'linux' || !line.hasSwitch('no-sandbox')
}
