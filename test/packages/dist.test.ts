import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import FpmTarget from 'app-builder-lib/out/targets/FpmTarget.js'
import { load } from 'js-yaml'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configFor, feedProblem } from '../../scripts/packaging/pack.mjs'
import {
  feedLine,
  missingRuntimeLines,
  packagesIn,
  planPackages,
  signatureLine,
  usage,
} from '../../scripts/packaging/plan.mjs'
import { canSign, dropUnsigned, signBeside } from '../../scripts/packaging/signing.mjs'
import { runWatched } from '../../scripts/packaging/watched.mjs'
import { feedProblem as problemInSettings } from '../../src-shared/model/updates.ts'

const here = { platform: 'linux', hasTools: true, onPath: () => true }
const config = (platform: string, env: Record<string, string>) =>
  configFor({ platform, env, electronDist: '/electron' })

function ownFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-dist-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('formats that can be made', () => {
  it.each([
    ['linux', ['AppImage', 'deb', 'rpm']],
    ['darwin', ['dmg', 'zip']],
    ['win32', ['nsis']],
  ])('%s: all of its formats, where the tools are available', (platform, can) => {
    expect(planPackages({ ...here, platform })).toEqual({ can, cannot: [] })
  })

  it('no rpm without rpmbuild', () => {
    expect(planPackages({ ...here, onPath: (program) => program !== 'rpmbuild' })).toEqual({
      can: ['AppImage', 'deb'],
      cannot: [{ target: 'rpm', reason: 'rpmbuild is not installed here' }],
    })
  })

  it('none without the tools, each with its reason', () => {
    const { can, cannot } = planPackages({ ...here, hasTools: false })
    expect(can).toEqual([])
    expect(cannot.map(({ target, reason }) => `${target}: ${reason}`)).toEqual(
      ['AppImage', 'deb', 'rpm'].map((target) => `${target}: the tools for it cannot be fetched from github.com`),
    )
  })

  it('the result is the list of existing files', () => {
    const folder = ownFolder()
    for (const name of ['Muster-1.exe', 'Muster-1.exe.blockmap', 'Muster-1.deb', 'latest-linux.yml'])
      writeFileSync(path.join(folder, name), '')
    expect(packagesIn(folder, ['AppImage', 'deb'])).toEqual([{ target: 'deb', name: 'Muster-1.deb' }])
    expect(packagesIn(folder, ['nsis'])).toEqual([{ target: 'nsis', name: 'Muster-1.exe' }])
    expect(packagesIn(path.join(folder, 'none'), ['deb'])).toEqual([])
  })
})

describe('the signer', () => {
  it.each([
    ['linux', {}, /^Not signed: MUSTER_GPG_KEY is not set/],
    ['linux', { CSC_LINK: 'another system’s' }, /^Not signed/],
    ['linux', { MUSTER_GPG_KEY: 'ABCD' }, /^Signed\.$/],
    ['win32', {}, /^Not signed: WIN_CSC_LINK or CSC_LINK is not set/],
    ['win32', { WIN_CSC_LINK: 'x.pfx' }, /^Signed\.$/],
    ['win32', { WIN_CSC_LINK: ' ' }, /^Not signed/],
    ['darwin', {}, /^Not signed: CSC_LINK or CSC_NAME is not set/],
    ['darwin', { CSC_NAME: 'Somebody' }, /^Signed, but not notarized/],
    ['darwin', { CSC_NAME: 'Somebody', APPLE_KEYCHAIN_PROFILE: 'muster' }, /^Signed\.$/],
  ])('%s with %o', (platform, env: Record<string, string>, line) => {
    expect(signatureLine(platform, env)).toMatch(line)
    expect(config(platform, env)).toMatchObject({ forceCodeSigning: !line.source.startsWith('^Not') })
  })

  it('macOS without an identity: an ad hoc signature, and no hardened runtime', () => {
    expect(config('darwin', {})).toMatchObject({ mac: { identity: '-', hardenedRuntime: false, notarize: false } })
    expect(config('darwin', { CSC_LINK: 'x.p12' })).not.toHaveProperty('mac')
  })
})

describe('the source of updates', () => {
  it('is none, unless the environment says so', () => {
    expect(config('linux', {})).toMatchObject({ publish: null })
    expect(config('linux', { MUSTER_UPDATE_FEED: 'https://updates.invalid/muster' })).toMatchObject({
      publish: { provider: 'generic', url: 'https://updates.invalid/muster' },
    })
  })

  it.each(['http://updates.invalid', 'updates.invalid', 'file:///updates'])('is never %s', (feed) => {
    expect(() => config('linux', { MUSTER_UPDATE_FEED: feed })).toThrow('MUSTER_UPDATE_FEED is no https address.')
  })

  it.each([
    'https://user:tok@x.invalid/',
    'https://:tok@x.invalid',
    'https://user@x.invalid',
    'https://x.invalid/?k=1',
    'https://x.invalid/?',
    'https://x.invalid/#',
    'wss://x.invalid',
    'https://',
    'x',
    'https://x.invalid',
    'https://x.invalid/a/latest.yml',
    'https://x.invalid/a.yml/',
    'https://x.invalid/a/b',
    'HTTPS://x.invalid:8443/a',
  ])('is never one that the settings would reject: %s', (feed) => {
    expect(feedProblem(feed) === null).toBe(problemInSettings(feed) === null)
    expect(feedProblem(feed) ?? '').not.toMatch(/user|tok|k=/u)
    if (feedProblem(feed) !== null)
      expect(() => config('linux', { MUSTER_UPDATE_FEED: feed })).toThrow(`MUSTER_UPDATE_FEED ${feedProblem(feed)}`)
  })
})

describe('the dependencies of an rpm', () => {
  const { rpm } = load(readFileSync('electron-builder.yml', 'utf8')) as { rpm: { depends: string[]; fpm: string[] } }
  it('are those that electron-builder would name, and the library of the keychain', () => {
    const usual = FpmTarget.prototype['getDefaultDepends']('rpm') as string[]
    expect(rpm.depends).toEqual([...usual, '(libsecret or libsecret-1-0)'])
    expect(rpm.fpm).toEqual(['--rpm-tag', 'Recommends: gnome-keyring'])
  })
})

describe('npm run dist', () => {
  it('lists its steps without building, and knows no other flag', () => {
    const run = (...args: string[]) => spawnSync(process.execPath, ['scripts/dist.mjs', ...args], { encoding: 'utf8' })
    expect(run('--help')).toMatchObject({ status: 0, stdout: `${usage()}\n`, stderr: '' })
    expect(run('--helo')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'npm run dist does not know "--helo". Try: npm run dist -- --help\n',
    })
    expect(usage('linux')).toContain('AppImage, deb, rpm')
  })

  it('prints a line for each format where the runtime is not available', () => {
    expect(missingRuntimeLines('linux', 'x')).toEqual(
      ['AppImage', 'deb', 'rpm'].map((target) => `Not made: ${target}, because x`),
    )
  })
})

describe('packages without a feed', () => {
  it.each([
    ['win32', 'No updates: MUSTER_UPDATE_FEED is not set.'],
    ['linux', 'No updates but of an AppImage, from a feed that its settings name: MUSTER_UPDATE_FEED is not set.'],
    ['darwin', 'No updates but from a feed that the settings name: MUSTER_UPDATE_FEED is not set.'],
  ])('are reported on %s', (platform, line) => {
    expect(feedLine(platform, {})).toBe(line)
    expect(feedLine(platform, { MUSTER_UPDATE_FEED: ' ' })).toBe(line)
    expect(feedLine(platform, { MUSTER_UPDATE_FEED: 'https://updates.invalid/muster' })).toBeNull()
  })
})

describe("the packager's process", () => {
  const run = (program: string, limit: number, folders: string[] = []) => {
    const printed: string[] = []
    return runWatched({
      program: process.execPath,
      args: ['-e', program],
      env: {},
      folders,
      limit,
      log: (text) => printed.push(text),
    }).then((code) => ({ code, printed: printed.join('') }))
  }

  it('has its output and exit code passed on', async () => {
    expect(await run('console.log("packing"); process.exitCode = 3', 60_000)).toEqual({ code: 3, printed: 'packing\n' })
  })

  it('is ended when it is silent for too long', async () => {
    expect(await run('console.log("fetching"); setInterval(() => {}, 1000)', 1_500)).toEqual({
      code: null,
      printed: 'fetching\n',
    })
  })

  it('is not ended while bytes come in', async () => {
    const folder = ownFolder()
    // For longer than the limit, in silence.
    const program = `const fs = require('fs'); let n = 0; setInterval(() => { fs.appendFileSync(${JSON.stringify(path.join(folder, 'tool'))}, 'x'); if ((n += 1) > 40) process.exit(0) }, 50)`
    expect(await run(program, 1_500, [folder])).toEqual({ code: 0, printed: '' })
  })
})

const noGpg = spawnSync('gpg', ['--version']).error !== undefined

describe('Linux’ signatures', () => {
  it.skipIf(noGpg)(`are beside the files, with the named key${noGpg ? ' (skipped: no gpg here)' : ''}`, () => {
    const home = ownFolder()
    const folder = ownFolder()
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const env = { PATH: process.env['PATH'], GNUPGHOME: home }
    const gpg = (...args: string[]) => spawnSync('gpg', ['--batch', ...args], { env, encoding: 'utf8' })
    onTestFinished(() => void spawnSync('gpgconf', ['--kill', 'gpg-agent'], { env }))
    expect(
      gpg(
        '--passphrase',
        '',
        '--pinentry-mode',
        'loopback',
        '--quick-gen-key',
        'packager@example.org',
        'ed25519',
        'sign',
      ).status,
    ).toBe(0)
    writeFileSync(path.join(folder, 'Muster-1.deb'), 'a package')
    expect(signBeside(folder, ['Muster-1.deb'], 'packager@example.org', env)).toEqual([])
    expect(gpg('--verify', path.join(folder, 'Muster-1.deb.asc'), path.join(folder, 'Muster-1.deb')).status).toBe(0)
    expect(signBeside(folder, ['Muster-1.deb'], 'nobody@example.org', env)).toEqual(['Muster-1.deb'])
    expect(existsSync(path.join(folder, 'Muster-1.deb.asc'))).toBe(false)
    expect([canSign('packager@example.org', env), canSign('nobody@example.org', env)]).toEqual([true, false])
  })

  it('that are missing remove the package and its entry in the feed', () => {
    const folder = ownFolder()
    for (const name of [
      'Muster-1.deb',
      'Muster-1.AppImage',
      'Muster-1.AppImage.blockmap',
      'Muster-1.rpm',
      'builder-debug.yml',
    ])
      writeFileSync(path.join(folder, name), '')
    writeFileSync(path.join(folder, 'latest-linux.yml'), 'files:\n  - url: Muster-1.deb\n  - url: Muster-1.AppImage\n')
    mkdirSync(path.join(folder, 'linux-unpacked', 'resources'), { recursive: true })
    dropUnsigned(folder, [])
    expect(readdirSync(folder)).toHaveLength(7)
    dropUnsigned(folder, ['Muster-1.deb', 'Muster-1.AppImage'])
    expect(readdirSync(folder).toSorted()).toEqual(['Muster-1.rpm', 'builder-debug.yml'])
    dropUnsigned(path.join(folder, 'nowhere'), [])
  })
})
