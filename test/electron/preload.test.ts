import { readFileSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { expect, it } from 'vitest'
import { build } from 'vite'
import { targets } from '../../scripts/build/build.mjs'
import type { Bridge } from '../../src-shared/contract/bridge.ts'
import { ownFolder } from '../main/platform/shared/folder.ts'

/** Built as `npm start` builds it, into a folder of the test's own. */
async function builtPreload(): Promise<string> {
  const config = await targets.preload.config()
  const outDir = ownFolder()
  await build({ ...config, build: { ...config.build, outDir } })
  return readFileSync(path.join(outDir, 'preload.cjs'), 'utf8')
}

it('the built preload is a plain script that requires electron and nothing else', { timeout: 30_000 }, async () => {
  const text = await builtPreload()
  expect(text).not.toMatch(/\bimport\b|\bexport\b/)
  expect([...text.matchAll(/require\(([^)]*)\)/g)].map(([, name]) => name)).toEqual(['"electron"'])
  // Runs where there is nothing but `require`, and gives the page the bridge alone.
  const exposed = new Map<string, Bridge>()
  const asked: unknown[][] = []
  const listened: string[] = []
  const ipcRenderer = {
    invoke: async (...args: unknown[]) => void asked.push(args),
    on: (channel: string) => listened.push(channel),
  }
  const contextBridge = { exposeInMainWorld: (key: string, api: Bridge) => exposed.set(key, api) }
  vm.runInNewContext(text, {
    require: (name: string) => (name === 'electron' ? { contextBridge, ipcRenderer } : undefined),
    exports: {},
    module: {},
  })
  expect([...exposed.keys()]).toEqual(['musterBridge'])
  const bridge = exposed.get('musterBridge')
  expect(Object.keys(bridge ?? {})).toEqual(['ask', 'subscribe'])
  await bridge?.ask('app.state', '{}')
  bridge?.subscribe(() => {})
  expect([asked, listened]).toEqual([[['muster:call', 'app.state', '{}']], ['muster:event']])
})
