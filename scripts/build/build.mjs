import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { recordPackages } from '../packaging/notices.mjs'
import { root } from '../setup.mjs'

/**
 * The build targets: inputs, configuration and output file. `inputs` are folders and files of the repository: a change
 * in any of them, in the lockfile or beside this script makes the target stale.
 */
export const targets = {
  renderer: {
    inputs: ['src-renderer', 'src-shared', 'assets'],
    output: 'out/renderer/index.html',
    config: rendererConfig,
  },
  web: {
    inputs: ['src-main', 'src-shared'],
    output: 'out/main/web.js',
    config: () => nodeConfig('src-main/platform/web/index.ts', 'out/main/web.js', 'es'),
  },
  headless: {
    inputs: ['src-main', 'src-shared'],
    output: 'out/main/headless.js',
    config: () => nodeConfig('src-main/platform/headless/index.ts', 'out/main/headless.js', 'es'),
  },
  // One self-contained CommonJS file: a worker inside an asar starts only from such a one.
  thread: {
    inputs: ['src-main', 'src-shared'],
    output: 'out/main/data-thread.cjs',
    config: () => nodeConfig('src-main/inventory/thread/thread.ts', 'out/main/data-thread.cjs', 'cjs'),
  },
  answers: {
    inputs: ['src-main/query', 'src-shared'],
    output: 'out/main/answers-thread.cjs',
    config: () => nodeConfig('src-main/query/answers/thread.ts', 'out/main/answers-thread.cjs', 'cjs'),
  },
  electron: {
    inputs: ['src-main', 'src-shared'],
    output: 'out/electron/main.js',
    // A start needs neither the updater nor the zip library, which are loaded on demand. Of `later` it loads Rolldown's own
    // helpers alone.
    config: () =>
      nodeConfig('src-main/platform/electron/index.ts', 'out/electron/main.js', 'es', {
        chunkFileNames: chunkFileName,
      }),
    leftovers: 'out/electron/later',
  },
  // What the main loads for `muster --headless`, behind the one above, which removes it. It shares no file with the main:
  // the main's module waits while it runs (src-main/platform/electron/headless.ts).
  later: {
    inputs: ['src-main', 'src-shared'],
    output: 'out/electron/later/headless.js',
    config: () => nodeConfig('src-main/platform/headless/start.ts', 'out/electron/later/headless.js', 'es'),
  },
  // A sandboxed preload cannot be an ES module and can require only `electron`.
  preload: {
    inputs: ['src-main/platform/electron/preload.ts', 'src-shared'],
    output: 'out/electron/preload.cjs',
    config: () => nodeConfig('src-main/platform/electron/preload.ts', 'out/electron/preload.cjs', 'cjs'),
  },
  service: {
    inputs: ['src-service'],
    output: 'out/service/main.js',
    config: () => nodeConfig('src-service/main.ts', 'out/service/main.js', 'es'),
    // Files that the playground reads at run time.
    copies: { from: 'src-service/playground/page', to: 'out/service/page' },
  },
}

/**
 * Builds the targets that are stale.
 * @param {{ names?: string[], force?: boolean, log?: (line: string) => void }} options
 * @returns {Promise<string[]>} the names that were built
 */
export async function build({ names = Object.keys(targets), force = false, log = console.error } = {}) {
  const stale = names.filter((name) => force || isStale(root, name, targets[name]))
  if (stale.length === 0) return []
  log(`Building ${stale.join(', ')}`)
  // An interrupted build must not look finished.
  for (const name of stale) rmSync(stampPath(root, name), { force: true })
  // Otherwise a NODE_ENV of the shell, or of a test that starts Muster, decides: React's development build draws at
  // half the speed.
  process.env.NODE_ENV = 'production'
  const vite = await import('vite')
  for (const name of stale) {
    const { leftovers } = targets[name]
    if (leftovers !== undefined) rmSync(path.join(root, leftovers), { recursive: true, force: true })
    // Taken before the build: a change while it runs makes the target stale again.
    const stamp = stampOf(root, targets[name].inputs)
    const config = await targets[name].config()
    await vite.build({ ...config, plugins: [...(config.plugins ?? []), recordPackages(name)] })
    const { copies } = targets[name]
    if (copies !== undefined) cpSync(path.join(root, copies.from), path.join(root, copies.to), { recursive: true })
    writeStamp(root, name, stamp)
  }
  return stale
}

/** Returns whether a target has to be built: no output, or inputs other than those of its stamp. */
export function isStale(base, name, target) {
  const file = stampPath(base, name)
  if (!existsSync(file) || !existsSync(path.join(base, target.output))) return true
  return readFileSync(file, 'utf8') !== stampOf(base, target.inputs)
}

/** Returns a hash over names and contents of all inputs of a target. */
export function stampOf(base, inputs) {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', 'scripts/build', ...inputs].flatMap((input) => filesOf(base, input))) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(base, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

export function writeStamp(base, name, stamp) {
  mkdirSync(path.dirname(stampPath(base, name)), { recursive: true })
  writeFileSync(stampPath(base, name), stamp)
}

function stampPath(base, name) {
  return path.join(base, 'out', '.stamps', name)
}

function filesOf(base, input) {
  const full = path.join(base, input)
  if (!existsSync(full)) return []
  const entries = readdirSafe(full)
  if (entries === null) return [input]
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(base, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** Returns the entries of a folder; null for a file. */
function readdirSafe(full) {
  try {
    return readdirSync(full, { recursive: true, withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return null
    throw error
  }
}

/** Returns the configuration of the window: no inline script and no data: address, so that its policy can be strict. */
async function rendererConfig() {
  const { default: react } = await import('@vitejs/plugin-react')
  return {
    ...common(),
    root: path.join(root, 'src-renderer'),
    plugins: [react()],
    build: {
      outDir: path.join(root, 'out', 'renderer'),
      emptyOutDir: true,
      target: 'es2024',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1500,
    },
  }
}

/** Returns the name of a chunk, after the package that is loaded later. */
function chunkFileName({ facadeModuleId }) {
  return `later/${/.*[\\/]node_modules[\\/]([^\\/]+)/u.exec(facadeModuleId ?? '')?.[1] ?? '[name]'}.js`
}

/**
 * Returns a configuration for Node 24, with everything bundled but Node's own modules and the native ones; one file, or
 * with `later` one more for each `import()`.
 */
function nodeConfig(entry, output, format, later = { codeSplitting: false }) {
  return {
    ...common(),
    root,
    // Native, and missing on some machines: imported at run time, where a failure is caught.
    ssr: { noExternal: true, external: ['electron', 'keytar'], target: 'node' },
    build: {
      ssr: true,
      target: 'node24',
      outDir: path.join(root, path.dirname(output)),
      emptyOutDir: false,
      rolldownOptions: {
        input: path.join(root, entry),
        platform: 'node',
        // `ws` requires the last two optionally.
        external: [/^node:/, ...builtinModules, 'electron', 'keytar', 'bufferutil', 'utf-8-validate'],
        output: { format, entryFileNames: path.basename(output), ...later },
      },
    },
  }
}

function common() {
  return { configFile: false, envDir: false, logLevel: 'warn', clearScreen: false, mode: 'production' }
}
