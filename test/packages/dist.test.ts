import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { madeOf, planFor, signatureLine } from '../../scripts/dist.mjs'
import { configFor } from '../../scripts/pack.mjs'

const here = { platform: 'linux', hasTools: true, onPath: () => true }
const config = (platform: string, env: Record<string, string>) => configFor({ platform, env, electronDist: '/electron' })

describe('what can be made', () => {
  it.each([
    ['linux', ['AppImage', 'deb', 'rpm']],
    ['darwin', ['dmg', 'zip']],
    ['win32', ['nsis']],
  ])('%s: all of its formats, where the tools are to be had', (platform, can) => {
    expect(planFor({ ...here, platform })).toEqual({ can, cannot: [] })
  })

  it('no rpm without rpmbuild', () => {
    expect(planFor({ ...here, onPath: (program) => program !== 'rpmbuild' })).toEqual({ can: ['AppImage', 'deb'], cannot: [{ target: 'rpm', why: 'rpmbuild is not installed here' }] })
  })

  it('none without the tools, each with its reason', () => {
    const { can, cannot } = planFor({ ...here, hasTools: false })
    expect(can).toEqual([])
    expect(cannot.map(({ target, why }) => `${target}: ${why}`)).toEqual(['AppImage', 'deb', 'rpm'].map((target) => `${target}: the tools for it cannot be fetched from github.com`))
  })

  it('what was made is what lies there', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'muster-dist-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    for (const name of ['Muster-1.exe', 'Muster-1.exe.blockmap', 'Muster-1.deb', 'latest-linux.yml']) writeFileSync(path.join(folder, name), '')
    expect(madeOf(folder, ['AppImage', 'deb'])).toEqual([{ target: 'deb', name: 'Muster-1.deb' }])
    expect(madeOf(folder, ['nsis'])).toEqual([{ target: 'nsis', name: 'Muster-1.exe' }])
    expect(madeOf(path.join(folder, 'none'), ['deb'])).toEqual([])
  })
})

describe('who signs', () => {
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

  it('macOS without an identity: a signature that names nobody, and no hardened runtime that would refuse it', () => {
    expect(config('darwin', {})).toMatchObject({ mac: { identity: '-', hardenedRuntime: false, notarize: false } })
    expect(config('darwin', { CSC_LINK: 'x.p12' })).not.toHaveProperty('mac')
  })
})

describe('where updates come from', () => {
  it('from nowhere, unless the environment says so', () => {
    expect(config('linux', {})).toMatchObject({ publish: null })
    expect(config('linux', { MUSTER_UPDATE_FEED: 'https://updates.invalid/muster' })).toMatchObject({ publish: { provider: 'generic', url: 'https://updates.invalid/muster' } })
  })

  it.each(['http://updates.invalid', 'updates.invalid', 'file:///updates'])('never from %s', (feed) => {
    expect(() => config('linux', { MUSTER_UPDATE_FEED: feed })).toThrow('MUSTER_UPDATE_FEED is no https address.')
  })
})
