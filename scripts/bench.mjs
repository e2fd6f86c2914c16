import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { ensureInstalled, node24, root } from './setup.mjs'

ensureInstalled()
const { build } = await import('./build/build.mjs')
await build()
const args = ['--disable-warning=ExperimentalWarning', path.join(root, 'bench', 'run.ts'), ...process.argv.slice(2)]
const { status } = spawnSync(node24(), args, { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
