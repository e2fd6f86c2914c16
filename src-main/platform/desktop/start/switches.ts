/** What of Chromium's command line is read and changed, as Electron's `app.commandLine` has it. */
export interface CommandLine {
  hasSwitch(name: string): boolean
  removeSwitch(name: string): void
}

/**
 * Switches of Chromium's that no start of Muster takes. The first ones have certificates believed that are not good, or lead a name
 * elsewhere; there is no way to ignore a certificate (design, invariant 8). The others write down what is secret: the keys of TLS, and
 * a net log's headers and bodies (a net log without them may be had). `--proxy-server` and its like stay: they choose the way, at whose
 * end the certificate has to be right all the same.
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
/** Whoever connects there is in the page. From a checkout its developers are, and the tests on the runtime. */
const installed = ['remote-debugging-port', 'remote-debugging-pipe']

/** Takes them away, before anything reads them; answers which there were. */
export function removeSwitches(line: CommandLine, packaged: boolean): string[] {
  const found = [...always, ...(packaged ? installed : [])].filter((name) => line.hasSwitch(name))
  for (const name of found) line.removeSwitch(name)
  return found
}

/**
 * Whether every page gets its sandbox. On Linux that is settled before anything of Muster runs: an AppImage's start script adds
 * `--no-sandbox` where the system allows no user namespaces, and the process that all others are forked from then has none. To take the
 * switch away there (which `app.enableSandbox` does) would leave pages that ask for what they cannot have, and do not start.
 */
export function canSandbox(line: Pick<CommandLine, 'hasSwitch'>, platform: NodeJS.Platform): boolean {
  return platform !== 'linux' || !line.hasSwitch('no-sandbox')
}
