import { builtinModules } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

/**
 * Bundles a module and all its imports into one file, as the shells are built: stripping types from sources takes a
 * hundred megabytes. Resolves with its URL.
 */
export async function bundled(module: URL): Promise<string> {
  const outDir = path.resolve('out/bench')
  const file = `${path.parse(fileURLToPath(module)).name}.js`
  await build({
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    mode: 'production',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: 'node24',
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input: fileURLToPath(module),
        platform: 'node',
        external: [/^node:/u, ...builtinModules, 'keytar', 'bufferutil', 'utf-8-validate'],
        output: { format: 'es', entryFileNames: file, codeSplitting: false },
      },
    },
  })
  return pathToFileURL(path.join(outDir, file)).href
}
