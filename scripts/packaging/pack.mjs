import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from '../setup.mjs'

/** The formats for each system, in the order of electron-builder.yml. */
export const targetsOf = { win32: ['nsis'], darwin: ['dmg', 'zip'], linux: ['AppImage', 'deb', 'rpm'] }

/**
 * Returns the signing identity of the environment.
 * macOS: CSC_LINK (a certificate, with CSC_KEY_PASSWORD) or CSC_NAME (one of the keychain)
 * Windows: WIN_CSC_LINK or CSC_LINK, with WIN_CSC_KEY_PASSWORD or CSC_KEY_PASSWORD
 * Linux, whose packages carry no signature: MUSTER_GPG_KEY, the GnuPG key that signs each file beside it
 * @returns {{ signed: boolean, wanted: string }} `wanted`: the variables to set
 */
export function identity(platform, env) {
  const wanted =
    { win32: ['WIN_CSC_LINK', 'CSC_LINK'], darwin: ['CSC_LINK', 'CSC_NAME'], linux: ['MUSTER_GPG_KEY'] }[platform] ?? []
  return { signed: wanted.some((name) => given(env, name) !== null), wanted: wanted.join(' or ') }
}

/**
 * Returns what the machine and its environment add to electron-builder.yml. Throws an Error with one plain sentence.
 * MUSTER_UPDATE_FEED: the https address of the update feed's folder; without it the package has none
 * MUSTER_MAINTAINER ("Name <address>"), MUSTER_HOMEPAGE: the maker of the package, for deb and rpm
 * @param {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv, electronDist: string, output?: string }} machine
 */
export function configFor({ platform, env, electronDist, output = 'dist' }) {
  const { signed } = identity(platform, env)
  const feed = given(env, 'MUSTER_UPDATE_FEED')
  const problem = feed === null ? null : feedProblem(feed)
  if (problem !== null) throw new Error(`MUSTER_UPDATE_FEED ${problem}`)
  const maintainer = given(env, 'MUSTER_MAINTAINER')
  return {
    electronDist,
    directories: { output },
    // With it electron-builder fails instead of leaving something unsigned, and packaging/hooks.mjs records it in the
    // package.
    forceCodeSigning: signed,
    publish: feed === null ? null : { provider: 'generic', url: feed },
    extraMetadata: { homepage: given(env, 'MUSTER_HOMEPAGE') ?? 'https://muster.invalid/' },
    ...(maintainer === null ? {} : { linux: { maintainer } }),
    // Apple's processors start nothing without a signature: this one has no identity, and the hardened runtime would
    // reject unsigned libraries.
    ...(signed ? {} : { mac: { identity: '-', hardenedRuntime: false, notarize: false } }),
  }
}

/**
 * Returns the problem of a feed's address; null when it is valid. The same rule as for the settings (`feedProblem` in
 * src-shared/model/updates.ts, which a test compares; scripts run on a Node that reads no TypeScript): a package with
 * another address would ignore it, and could contain a password that anybody can read.
 */
export function feedProblem(text) {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:' || url.hostname === '') return 'is no https address.'
  if (url.username !== '' || url.password !== '')
    return 'holds a name or password: leave them out, because a package is open to whoever has it.'
  if (text.includes('?')) return 'has a part from a ? on: leave it out, because a feed is a folder.'
  if (/\.ya?ml$/iu.test(url.pathname))
    return 'names a file: leave that out, because a feed is the folder that it lies in.'
  return text.includes('#') ? 'has a part from a # on: leave it out, because a feed is a folder.' : null
}

function given(env, name) {
  const value = env[name]?.trim() ?? ''
  return value === '' ? null : value
}

/**
 * Packs what is built in `out/`. Runs on Node 24. Rejects with electron-builder's message.
 * @param {{ config: object, targets: string[], platform?: NodeJS.Platform, arch?: 'x64' | 'arm64', inspect?: (what: unknown) => Promise<boolean> }} options
 * `targets`: of targetsOf, or `dir` for the folder alone; `inspect` receives the options of each target before it is
 * made, and returns true to stop there
 * @returns {Promise<string[]>} paths of the packages
 */
export async function pack({ config, targets, platform = process.platform, arch = process.arch, inspect }) {
  const { Arch, build, Platform } = await import('electron-builder')
  return build({
    projectDir: root,
    targets: Platform.fromString(platform).createTarget(targets, Arch[arch]),
    // The maker of a package decides where it is published.
    publish: 'never',
    config,
    ...(inspect === undefined ? {} : { effectiveOptionComputed: inspect }),
  })
}

/** The process that scripts/dist.mjs watches: electron-builder's downloads have no time limit. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [electronDist, ...targets] = process.argv.slice(2)
  try {
    const { platform, env } = process
    const made = await pack({ config: configFor({ platform, env, electronDist }), targets })
    for (const file of made) console.log(path.relative(process.cwd(), file))
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
