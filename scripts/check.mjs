import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, node24, root } from './setup.mjs'

const checks = [
  { name: 'type-check', args: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'] },
  { name: 'retired names', args: ['scripts/lint/retired-names.mjs'] },
  { name: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'] },
]

/**
 * Runs type-check, lint, retired names and format, each to its end.
 * @param {string} node path of a Node 24
 * @returns {{ name: string, ok: boolean }[]}
 */
export function runChecks(node) {
  return checks.map(({ name, args: [script, ...rest] }) => {
    const { status } = spawnSync(node, [path.join(root, script), ...rest], { cwd: root, stdio: 'inherit' })
    console.log(status === 0 ? `${name}: passed` : `${name}: FAILED`)
    return { name, ok: status === 0 }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureInstalled()
  if (runChecks(node24()).some(({ ok }) => !ok)) process.exitCode = 1
}
