import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from './setup.mjs'

/** What is made for each system, in the order of electron-builder.yml. */
export const targetsOf = { win32: ['nsis'], darwin: ['dmg', 'zip'], linux: ['AppImage', 'deb', 'rpm'] }

/**
 * Who signs, by the environment.
 *   macOS: CSC_LINK (a certificate, with CSC_KEY_PASSWORD) or CSC_NAME (one of the keychain)
 *   Windows: WIN_CSC_LINK or CSC_LINK, with WIN_CSC_KEY_PASSWORD or CSC_KEY_PASSWORD
 *   Linux, whose packages carry no signature: MUSTER_GPG_KEY, the key of GnuPG that signs each file beside it
 * @returns {{ signed: boolean, wanted: string }} `wanted`: the variables to set
 */
export function identity(platform, env) {
  const wanted =
    { win32: ['WIN_CSC_LINK', 'CSC_LINK'], darwin: ['CSC_LINK', 'CSC_NAME'], linux: ['MUSTER_GPG_KEY'] }[platform] ?? []
  return { signed: wanted.some((name) => given(env, name) !== null), wanted: wanted.join(' or ') }
}

/**
 * What the machine and its environment add to electron-builder.yml. Throws an Error with one plain sentence.
 *   MUSTER_UPDATE_FEED: the https address of the folder that updates are offered in; without it the package has none
 *   MUSTER_MAINTAINER ("Name <address>"), MUSTER_HOMEPAGE: who makes the package, for deb and rpm
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
    // Then electron-builder fails rather than to leave something unsigned, and packaging/hooks.mjs says so in the package.
    forceCodeSigning: signed,
    publish: feed === null ? null : { provider: 'generic', url: feed },
    extraMetadata: { homepage: given(env, 'MUSTER_HOMEPAGE') ?? 'https://muster.invalid/' },
    ...(maintainer === null ? {} : { linux: { maintainer } }),
    // Apple's processors start nothing without a signature: this one names nobody, and the hardened runtime would not take
    // libraries that nobody has signed.
    ...(signed ? {} : { mac: { identity: '-', hardenedRuntime: false, notarize: false } }),
  }
}

/**
 * What is wrong with a feed's address; null when nothing is. The same addresses as in the settings (`feedProblem` in
 * src-shared/model/updates.ts, which a test compares; scripts start on a Node that reads no TypeScript): a package that was built
 * with another one would drop it, and hold a password that is nobody's to read.
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
 * Packs what is built in `out/`. Runs on Node 24. Rejects with electron-builder's words.
 * @param {{ config: object, targets: string[], platform?: NodeJS.Platform, arch?: 'x64' | 'arm64', inspect?: (what: unknown) => Promise<boolean> }} options
 *   `targets`: of targetsOf, or `dir` for the folder alone; `inspect` is given what a target is about to be made of, and
 *   answers true for no more than that
 * @returns {Promise<string[]>} paths of what was made
 */
export async function pack({ config, targets, platform = process.platform, arch = process.arch, inspect }) {
  const { Arch, build, Platform } = await import('electron-builder')
  return build({
    projectDir: root,
    targets: Platform.fromString(platform).createTarget(targets, Arch[arch]),
    // Whoever made a package decides where it goes.
    publish: 'never',
    config,
    ...(inspect === undefined ? {} : { effectiveOptionComputed: inspect }),
  })
}

/** The process of its own that scripts/dist.mjs watches: electron-builder's downloads know no time limit. */
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
