import { existsSync, readdirSync } from 'node:fs'
import process from 'node:process'
import { identity, targetsOf } from './pack.mjs'

/**
 * Returns the formats that can be made here, and why the others cannot.
 * @param {{ platform: NodeJS.Platform, hasTools: boolean, onPath: (program: string) => boolean }} machine
 * `hasTools`: electron-builder has its tools, or can fetch them
 * @returns {{ can: string[], cannot: { target: string, reason: string }[] }}
 */
export function planPackages({ platform, hasTools, onPath }) {
  const obstacle = (target) => {
    if (!hasTools) return 'the tools for it cannot be fetched from github.com'
    return target === 'rpm' && !onPath('rpmbuild') ? 'rpmbuild is not installed here' : null
  }
  const all = targetsOf[platform].map((target) => ({ target, reason: obstacle(target) }))
  return {
    can: all.filter(({ reason }) => reason === null).map(({ target }) => target),
    cannot: all.filter(({ reason }) => reason !== null),
  }
}

/** Returns the files of `folder` that are packages of these formats, each with its format. */
export function packagesIn(folder, targets) {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return targets.flatMap((target) =>
    names.filter((name) => name.endsWith(`.${target === 'nsis' ? 'exe' : target}`)).map((name) => ({ target, name })),
  )
}

/** Returns one line about the signature. */
export function signatureLine(platform, env) {
  const { signed, wanted } = identity(platform, env)
  if (!signed) return `Not signed: ${wanted} is not set. The package shows this, and does not update itself.`
  const notarized = ['APPLE_API_KEY', 'APPLE_ID', 'APPLE_KEYCHAIN_PROFILE'].some((name) => env[name])
  return platform === 'darwin' && !notarized
    ? 'Signed, but not notarized: set APPLE_API_KEY, APPLE_ID or APPLE_KEYCHAIN_PROFILE with what belongs to it.'
    : 'Signed.'
}

/**
 * Returns one line about packages without a feed; null where they have one. electron-builder writes the kind of a
 * package, and its signers, only beside a feed.
 */
export function feedLine(platform, env) {
  if (env.MUSTER_UPDATE_FEED?.trim()) return null
  const exceptions = {
    linux: ' but of an AppImage, from a feed that its settings name',
    darwin: ' but from a feed that the settings name',
  }
  return `No updates${exceptions[platform] ?? ''}: MUSTER_UPDATE_FEED is not set.`
}

/** @returns {string} what `npm run dist -- --help` prints */
export function usage(platform = process.platform) {
  return [
    'Usage: npm run dist',
    '',
    `Makes Muster's packages for this machine in dist/: ${targetsOf[platform]?.join(', ') ?? 'none for this system'}. It takes no flags; docs/packaging.md has the variables.`,
    '  --help          this page',
  ].join('\n')
}

/** Returns one line for each format that cannot be made because the runtime is missing. */
export const missingRuntimeLines = (platform, reason) =>
  targetsOf[platform].map((target) => `Not made: ${target}, because ${reason}`)
