import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { installedRuntime } from '../../scripts/start/runtime.mjs'
import type { Secrets } from '../../src-main/ports.ts'
import type { Bridge } from '../../src-shared/contract/bridge.ts'
import type { Answer, CallInput, CallName, CallOutput } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Leftovers } from './fleet.ts'

/** The built Muster on Electron's own runtime, driven by Playwright. No machine with a runtime was at hand: this never ran. */
export interface RuntimeMain {
  page: Page
  log: string[]
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  /** Answers the system's dialog for the next file with a path of its own, and returns it. */
  saveInto(): Promise<string>
  stop(): Promise<void>
}

/** Client secrets are those of the machine's keychain, under the profile's folder; a keychain that the test holds cannot be given. */
export async function startRuntime(
  leftovers: Leftovers,
  profile: string,
  { secrets, env }: { secrets: Secrets | undefined; env: Record<string, string | undefined> },
): Promise<RuntimeMain> {
  if (secrets !== undefined) throw new Error('on Electron’s runtime the keychain is the machine’s own')
  const program = installedRuntime(path.resolve('node_modules/electron'))
  if (program === null) throw new Error('Electron’s runtime is not here')
  const given = Object.entries({ ...process.env, ...env, TZ: 'Europe/Berlin' }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const app = await _electron.launch({
    executablePath: program,
    chromiumSandbox: true,
    args: [path.resolve('.'), `--profile=${profile}`, '--no-demo'],
    env: Object.fromEntries(given),
    timeout: 30_000,
  })
  const log: string[] = []
  for (const stream of [app.process().stdout, app.process().stderr])
    stream?.on('data', (text) => log.push(String(text).trimEnd()))
  let ended = false
  const stop = async () => {
    if (!ended) await app.close()
    ended = true
  }
  leftovers.push(stop)
  const page = await app.firstWindow()
  return { page, log, stop, call: (name, input) => ask(page, name, input), saveInto: () => saveInto(leftovers, app) }
}

/** Calls the core as the window does, by its bridge. Throws the fault of the answer. */
async function ask<N extends CallName>(page: Page, name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const text = await page.evaluate(
    ([call, json]) => (globalThis as unknown as { musterBridge: Bridge }).musterBridge.ask(call, json),
    [name, JSON.stringify(input)] as const,
  )
  const answer = JSON.parse(text) as Answer<CallOutput<N>>
  if (answer.ok) return answer.value
  throw new FaultError(answer.fault.kind, answer.fault.detail)
}

async function saveInto(leftovers: Leftovers, app: ElectronApplication): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-saved-'))
  leftovers.push(() => rmSync(folder, { recursive: true, force: true }))
  await app.evaluate(({ dialog }, to) => {
    dialog.showSaveDialog = ((...asked: { defaultPath?: string }[]) =>
      Promise.resolve({
        canceled: false,
        filePath: `${to}/${(asked.at(-1)?.defaultPath ?? 'file').split(/[\\/]/).at(-1)}`,
      })) as typeof dialog.showSaveDialog
  }, folder)
  return folder
}
