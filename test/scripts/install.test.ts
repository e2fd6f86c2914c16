import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const json = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8'))

it('installing runs no program of any package, whichever npm does it', { timeout: 30_000 }, () => {
  const { stdout } = spawnSync('npm', ['config', 'get', 'ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, npm_config_ignore_scripts: undefined },
  })
  expect(stdout.trim()).toBe('true')
  const packages: Record<string, { hasInstallScript?: boolean }> = json('package-lock.json').packages
  const named = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([name]) => name.replace('node_modules/', ''))
  const { allowScripts, dependencies } = json('package.json')
  const refused = Object.keys(allowScripts).filter((name) => allowScripts[name] === false)
  // npm knows a package by the name that it was published under.
  expect(named.map((name) => dependencies[name]?.match(/^npm:(.+)@/u)?.[1] ?? name).toSorted()).toEqual(
    refused.toSorted(),
  )
})

it("no script of Muster's relies on one that npm would leave out with that", () => {
  const names = Object.keys(json('package.json').scripts)
  expect(names.filter((name) => /^(pre|post)/u.test(name) || ['install', 'prepare'].includes(name))).toEqual([])
})
