import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeNotices } from '../../scripts/packaging/notices.mjs'
import { configFor, pack } from '../../scripts/packaging/pack.mjs'
import { standInRuntime } from './stand-in.ts'

/**
 * What starts an AppImage and what a deb does when it is installed are scripts of electron-builder's. They are run here as it
 * makes them, round a program that only says how it was called.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'muster-linux-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scripts = { install: '', remove: '' }
const program = Buffer.from('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 0\n')
const tools = ['mksquashfs', 'unsquashfs'].map((name) =>
  ['/usr/bin', '/bin', '/usr/local/bin'].map((dir) => path.join(dir, name)).find((file) => existsSync(file)),
)
const [squash, unsquash] = tools
const lacking = squash === undefined || unsquash === undefined

beforeAll(async () => {
  if (!existsSync('out/.parts/service.json'))
    throw new Error('out/ is missing or older: node scripts/build.mjs builds it')
  writeNotices()
  const config = configFor({
    platform: 'linux',
    env: {},
    electronDist: standInRuntime(path.join(folder, 'electron'), 'electron', program),
    output: path.join(folder, 'deb'),
  })
  const inspect = (what: unknown) => {
    const [args] = Array.isArray(what) ? (what as [string[]]) : [[]]
    const read = (flag: string) => readFileSync(String(args[args.indexOf(flag) + 1]), 'utf8')
    if (args.includes('--after-install'))
      Object.assign(scripts, { install: read('--after-install'), remove: read('--after-remove') })
    return Promise.resolve(true)
  }
  await pack({ config, targets: ['deb'], platform: 'linux', arch: 'x64', inspect })
})

/** A folder of programs: those of the system, and these scripts. */
function bin(programs: Record<string, string>, system: readonly string[]): string {
  const place = mkdtempSync(path.join(folder, 'bin-'))
  for (const name of system) symlinkSync(`/usr/bin/${name}`, path.join(place, name))
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(place, name), `#!/bin/sh\n${script}\n`)
    chmodSync(path.join(place, name), 0o755)
  }
  return place
}

describe.skipIf(lacking)(`an AppImage${lacking ? ' (skipped: no squashfs-tools here)' : ''}`, () => {
  const runtime = Buffer.from('the runtime that mounts an image without libfuse2')
  const image = path.join(folder, 'image', 'Muster-0.1.0-linux-x86_64.AppImage')
  const inside = path.join(folder, 'inside')
  beforeAll(async () => {
    const toolset = path.join(folder, 'tools')
    for (const each of ['runtimes', 'lib/x64']) mkdirSync(path.join(toolset, each), { recursive: true })
    symlinkSync(String(squash), path.join(toolset, 'mksquashfs'))
    writeFileSync(path.join(toolset, 'desktop-file-validate'), '#!/bin/sh\n', { mode: 0o755 })
    writeFileSync(path.join(toolset, 'runtimes', 'runtime-x64'), runtime)
    writeFileSync(path.join(toolset, 'lib', 'x64', 'libappindicator.so.1'), '')
    vi.stubEnv('APPIMAGE_TOOLS_PATH', toolset)
    const config = configFor({
      platform: 'linux',
      env: {},
      electronDist: path.join(folder, 'electron'),
      output: path.dirname(image),
    })
    await pack({ config, targets: ['AppImage'], platform: 'linux', arch: 'x64' })
    const unpacked = spawnSync(String(unsquash), ['-no-progress', '-o', String(runtime.length), '-d', inside, image], {
      encoding: 'utf8',
    })
    expect(unpacked.status, unpacked.stderr).toBe(0)
  })

  afterAll(() => void vi.unstubAllEnvs())

  it('begins with the runtime that needs no libfuse2, and is executable', () => {
    expect(readFileSync(image).subarray(0, runtime.length)).toEqual(runtime)
    expect(statSync(image).mode & 0o111).toBe(0o111)
    expect(readFileSync('electron-builder.yml', 'utf8')).toMatch(/^toolsets:\n {2}appimage: 1\.0\.3$/mu)
  })

  it.each([
    ['as it is where user namespaces are there', 'exit 0', []],
    ['without the sandbox where they are not', 'exit 1', ['--no-sandbox']],
  ])('starts the program %s', (_what, unshare, added: string[]) => {
    const PATH = `${bin({ unshare }, [])}:/usr/bin:/bin`
    const run = (...args: string[]) => {
      const { status, stdout } = spawnSync(path.join(inside, 'AppRun'), args, {
        env: { PATH, HOME: folder },
        encoding: 'utf8',
      })
      return { status, args: stdout.split('\n').filter((line) => line !== '') }
    }
    expect(run('--hidden', 'muster://room/incidents')).toEqual({
      status: 0,
      args: [...added, '--hidden', 'muster://room/incidents'],
    })
    expect(run('--no-sandbox')).toEqual({ status: 0, args: ['--no-sandbox'] })
    expect(run()).toEqual({ status: 0, args: added })
  })

  it('has no actions in its desktop file: they would call a muster that is on no path', () => {
    expect(readFileSync(path.join(inside, 'muster.desktop'), 'utf8')).not.toMatch(
      /Actions=|Desktop Action|Exec=muster/u,
    )
  })
})

describe('a deb', () => {
  const system = ['ln', 'chmod', 'rm', 'cp', 'readlink', 'mkdir']

  /** The script run on a root of its own. */
  function installed(programs: Record<string, string>) {
    const root = mkdtempSync(path.join(folder, 'root-'))
    for (const each of ['opt/Muster/resources', 'usr/bin', 'usr/share', 'etc/apparmor.d'])
      mkdirSync(path.join(root, each), { recursive: true })
    for (const [name, text] of [
      ['muster', 'program'],
      ['chrome-sandbox', 'sandbox'],
      ['resources/apparmor-profile', 'profile muster'],
    ] as const)
      writeFileSync(path.join(root, 'opt/Muster', name), text)
    const PATH = bin(programs, system)
    const run = (script: string) =>
      spawnSync(
        '/bin/bash',
        [
          '-c',
          script
            .replaceAll(/'\/(opt|usr\/bin|etc)\//gu, `'${root}/$1/`)
            .replaceAll('/usr/share/', `${root}/usr/share/`),
        ],
        { env: { PATH }, encoding: 'utf8' },
      )
    const { status, stderr } = run(scripts.install)
    expect(status, stderr).toBe(0)
    return { root, run, at: (name: string) => path.join(root, name) }
  }

  it.each([
    ['where user namespaces are there', 'exit 0', 0o755],
    ['where they are not', 'exit 1', 0o4755],
  ])('Chromium’s sandbox helper has the rights it needs %s', (_where, unshare, mode) => {
    const { at } = installed({ unshare })
    expect(statSync(at('opt/Muster/chrome-sandbox')).mode & 0o7777).toBe(mode)
    expect(readlinkSync(at('usr/bin/muster'))).toBe(at('opt/Muster/muster'))
  })

  it('installs its AppArmor profile where that is supported, and removes it with its link', () => {
    const { at, run } = installed({ unshare: 'exit 0', apparmor_status: 'exit 0', apparmor_parser: 'exit 0' })
    expect(readFileSync(at('etc/apparmor.d/muster'), 'utf8')).toBe('profile muster')
    expect(run(scripts.remove).status).toBe(0)
    expect([
      existsSync(at('etc/apparmor.d/muster')),
      lstatSync(at('usr/bin/muster'), { throwIfNoEntry: false }),
    ]).toEqual([false, undefined])
  })

  it('leaves the profile out where this AppArmor does not support it', () => {
    const { at } = installed({ unshare: 'exit 1', apparmor_status: 'exit 0', apparmor_parser: 'exit 1' })
    expect(existsSync(at('etc/apparmor.d/muster'))).toBe(false)
  })
})
