import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { extractAll, listPackage } from '@electron/asar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noticesText, writeNotices } from '../../scripts/packaging/notices.mjs'
import { configFor, pack } from '../../scripts/packaging/pack.mjs'
import { readBuild } from '../../src-main/platform/shared/build-facts.ts'
import { startMain } from '../support/electron-shell.ts'
import { createLeftovers, temporaryProfile, until } from '../support/fleet.ts'
import { fusesOf, standInRuntime } from './stand-in.ts'

/**
 * Linux as its packages are made, signed and with a feed, up to where their tools would be needed; Windows as the folder
 * alone, for another processor, with neither.
 */
const leftovers = createLeftovers()
const folder = temporaryProfile(leftovers)
const inspected: unknown[] = []
const linux = path.join(folder, 'linux', 'linux-unpacked')
const windows = path.join(folder, 'windows', 'win-arm64-unpacked')
const extracted = path.join(folder, 'extracted')

beforeAll(async () => {
  if (!existsSync('out/.parts/service.json'))
    throw new Error('out/ is missing or older: node scripts/build.mjs builds it')
  writeNotices()
  const env = {
    MUSTER_UPDATE_FEED: 'https://updates.invalid/muster',
    MUSTER_GPG_KEY: 'ABCD',
    MUSTER_MAINTAINER: 'Somebody <somebody@example.org>',
    MUSTER_HOMEPAGE: 'https://example.org/muster',
  }
  const forLinux = configFor({
    platform: 'linux',
    env,
    electronDist: standInRuntime(path.join(folder, 'electron'), 'electron'),
    output: path.dirname(linux),
  })
  const inspect = (what: unknown) => {
    // What a package is made of lies in temporary files, which go with the packing.
    inspected.push(Array.isArray(what) ? [what[0], readFileSync(String(what[1]), 'utf8')] : what)
    return Promise.resolve(true)
  }
  await pack({ config: forLinux, targets: ['deb', 'AppImage'], platform: 'linux', arch: 'x64', inspect })
  const forWindows = configFor({
    platform: 'win32',
    env: {},
    electronDist: standInRuntime(path.join(folder, 'electron-windows'), 'electron.exe'),
    output: path.dirname(windows),
  })
  // The stand-in is no program of Windows' whose resources could be written.
  const unedited = { disableAsarIntegrity: true, win: { signAndEditExecutable: false } }
  await pack({ config: { ...forWindows, ...unedited }, targets: ['dir'], platform: 'win32', arch: 'arm64' })
  extractAll(path.join(linux, 'resources', 'app.asar'), extracted)
})
afterAll(() => leftovers.clean())

const noValidator = spawnSync('desktop-file-validate', ['--help']).error !== undefined

const inAsar = (unpacked: string) =>
  listPackage(path.join(unpacked, 'resources', 'app.asar'), { isPack: false }).map((name) =>
    name.replaceAll('\\', '/').slice(1),
  )
const filesBelow = (base: string) =>
  readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(base, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()

describe('the asar', () => {
  it('holds the files that run, and nothing else', () => {
    const files = filesBelow(extracted)
    const expected = [
      /^package\.json$/,
      /^assets\/icon\.png$/,
      /^assets\/tray-(idle|alert|lost)(Template)?(@2x)?\.png$/,
      /^out\/electron\/(main\.js|preload\.cjs)$/,
      /^out\/electron\/later\/(electron-updater|fflate|headless|js-yaml|rolldown-runtime)\.js$/,
      /^out\/main\/data-thread\.cjs$/,
      /^out\/main\/answers-thread\.cjs$/,
      /^out\/service\/main\.js$/,
      /^out\/service\/page\/[\w-]+\.(js|css|svg)$/,
      /^out\/renderer\/index\.html$/,
      /^out\/renderer\/assets\/[\w-]+\.(js|css|svg|woff2)$/,
      /^node_modules\/keytar\/(package\.json|lib\/keytar\.js|prebuilds\/linux-x64\/keytar\.node)$/,
    ]
    expect(files.filter((file) => !expected.some((one) => one.test(file)))).toEqual([])
    expect(expected.filter((one) => !files.some((file) => one.test(file)))).toEqual([])
  })

  it('holds every file of the window, and every image of the tray', () => {
    const files = inAsar(linux)
    const wanted = [
      ...filesBelow('out/renderer').map((file) => `out/renderer/${file}`),
      ...readdirSync('assets')
        .filter((file) => /^tray-.*\.png$/.test(file))
        .map((file) => `assets/${file}`),
    ]
    expect(files).toEqual(expect.arrayContaining(wanted))
  })

  it('contains nothing of the machine that built it: no path, no source map', () => {
    const told = [
      process.cwd(),
      path.dirname(realpathSync('node_modules')),
      `${homedir()}${path.sep}`,
      'sourceMappingURL=data:',
      '.js.map',
    ]
    const found = filesBelow(extracted)
      .filter((file) => /\.(js|cjs|json|html|css|svg)$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(path.join(extracted, file), 'utf8')
        return told.filter((each) => text.includes(each)).map((each) => `${file}: ${each}`)
      })
    expect(found).toEqual([])
  })

  it('contains its name and entry, and not how it is built', () => {
    const told = JSON.parse(readFileSync(path.join(extracted, 'package.json'), 'utf8')) as Record<string, unknown>
    expect(told).toMatchObject({
      name: 'muster',
      type: 'module',
      main: 'out/electron/main.js',
      desktopName: 'muster.desktop',
    })
    expect(told).not.toHaveProperty('scripts')
    expect(told).not.toHaveProperty('devDependencies')
  })
})

describe('beside the asar', () => {
  it("are keytar's native file for the system and processor, and the licences", () => {
    expect(filesBelow(path.join(linux, 'resources')).filter((file) => file !== 'app.asar')).toEqual([
      'LICENSE.txt',
      'THIRD-PARTY-NOTICES.txt',
      'app-update.yml',
      'app.asar.unpacked/node_modules/keytar/lib/keytar.js',
      'app.asar.unpacked/node_modules/keytar/package.json',
      'app.asar.unpacked/node_modules/keytar/prebuilds/linux-x64/keytar.node',
      'apparmor-profile',
      'build.json',
      'package-type',
    ])
    expect(filesBelow(path.join(windows, 'resources')).filter((file) => file.endsWith('.node'))).toEqual([
      'app.asar.unpacked/node_modules/keytar/prebuilds/win32-arm64/keytar.node',
    ])
    expect(
      existsSync(path.join(linux, 'LICENSE.electron.txt')) && existsSync(path.join(linux, 'LICENSES.chromium.html')),
    ).toBe(true)
    const native = path.join('app.asar.unpacked', 'node_modules', 'keytar', 'prebuilds', 'linux-x64', 'keytar.node')
    expect(
      readFileSync(path.join(linux, 'resources', native)).equals(
        readFileSync('node_modules/keytar/prebuilds/linux-x64/keytar.node'),
      ),
    ).toBe(true)
  })

  it.each(['win32', 'darwin', 'linux'].flatMap((system) => ['x64', 'arm64'].map((arch) => `${system}-${arch}`)))(
    'keytar has a file for %s, which electron-builder.yml names',
    (target) => {
      expect(existsSync(path.join('node_modules/keytar/prebuilds', target, 'keytar.node'))).toBe(true)
      expect(readFileSync('electron-builder.yml', 'utf8')).toContain(
        `node_modules/keytar/prebuilds/${target.replace(/-.*/, '')}-\${arch}/keytar.node`,
      )
    },
  )

  it('the package knows whether it is signed', () => {
    expect(readBuild(path.join(linux, 'resources'))).toEqual({ signed: true })
    expect(readBuild(path.join(windows, 'resources'))).toEqual({ signed: false })
    expect(readFileSync(path.join(windows, 'resources', 'build.json'), 'utf8')).toBe('{"signed":false}\n')
  })

  it('and where updates come from; without a feed it has none', () => {
    expect(readFileSync(path.join(linux, 'resources', 'app-update.yml'), 'utf8')).toContain(
      'url: https://updates.invalid/muster\n',
    )
    expect(existsSync(path.join(windows, 'resources', 'app-update.yml'))).toBe(false)
  })

  it('the licences of all that is bundled, with their texts', () => {
    const told = readFileSync(path.join(linux, 'resources', 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    expect(told).toBe(noticesText())
    for (const name of [
      'react',
      'graphql',
      'zod',
      '@github/keytar',
      '@fontsource-variable/inter',
      'react-aria-components',
      'graphql-yoga',
    ])
      expect(told).toMatch(new RegExp(`^${name} \\d.*\\n\\n.`, 'm'))
    expect(told).toContain('SIL OPEN FONT LICENSE')
    expect(told).not.toContain('no licence named')
    expect(told).not.toContain(process.cwd())
  })
})

describe('the fuses', () => {
  // In Electron's order: runAsNode, cookieEncryption, nodeOptions, nodeCliInspect, asarIntegrity, onlyLoadAppFromAsar,
  // v8Snapshot, fileProtocolExtraPrivileges; the ninth, wasmTrapHandlers, as it was delivered.
  it.each([
    ['Linux', () => path.join(linux, 'muster')],
    ['Windows', () => path.join(windows, 'Muster.exe')],
  ])('are as electron-builder.yml decides, on %s', (_system, program) => {
    expect(fusesOf(program())).toBe('000011001')
  })
})

describe('the packed program', () => {
  it('starts from the asar alone, with its data thread and its demo', async () => {
    const main = await startMain(leftovers, temporaryProfile(leftovers), {
      program: path.join(extracted, 'out', 'electron', 'main.js'),
      args: ['--demo', '--devices=60'],
      env: { MUSTER_TEST_PACKAGED: path.join(linux, 'resources') },
    })
    const { version, demo, shell } = await main.call('app.state', {})
    expect({ version, demo, shell }).toEqual({ version: '0.1.0', demo: true, shell: 'electron' })
    await until(async () => {
      const { total } = await main.call('inventory.rows', {
        query: { scope: 'all', filter: '', sort: [] },
        offset: 0,
        limit: 1,
      })
      expect(total, main.log.join('\n')).toBe(60)
    })
    await main.stop()
  })

  it('starts from the asar without a window, with code that a start with one does not load', async () => {
    const main = await startMain(leftovers, temporaryProfile(leftovers), {
      program: path.join(extracted, 'out', 'electron', 'main.js'),
      args: ['--headless', '--port', '0'],
      env: { MUSTER_TEST_PACKAGED: path.join(linux, 'resources') },
    })
    const address = await until(() => {
      const found = /Health and metrics: (http:\S+)/u.exec(main.log.join('\n'))?.[1]
      if (found === undefined) throw new Error(main.log.join('\n'))
      return found
    }, 30_000)
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${address}/metrics`)).text()).toContain('muster_info{version="0.1.0"} 1')
    expect(main.deeds).toEqual([])
    // Ends with SIGTERM, and expects the code 0.
    await main.stop()
    const holdsMetrics = (file: string) =>
      readFileSync(path.join(extracted, 'out', 'electron', file), 'utf8').includes('collectDefaultMetrics')
    expect([holdsMetrics('main.js'), holdsMetrics('later/headless.js')]).toEqual([false, true])
    // The main waits for it, so it must wait for nothing of the main.
    const built = readFileSync(path.join(extracted, 'out', 'electron', 'later', 'headless.js'), 'utf8')
    expect(built).not.toMatch(/^import .*["']\.\.?\//mu)
  })

  it('is executable by everybody', () => {
    expect(statSync(path.join(linux, 'muster')).mode & 0o755).toBe(0o755)
  })
})

describe('the metadata for Linux', () => {
  const argsOf = () => inspected.find((each): each is [string[], string] => Array.isArray(each)) ?? [[], '']
  const imageOf = () =>
    inspected.find(
      (each): each is { desktop: string; desktopFileName: string } =>
        typeof each === 'object' && each !== null && 'desktop' in each,
    )

  it('a desktop file with name, class of the window, categories, links and actions', () => {
    const [, desktop] = argsOf()
    const [entry = '', ...actions] = desktop.split('\n\n')
    const lines = Object.fromEntries(
      entry
        .split('\n')
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    expect(lines).toMatchObject({
      Name: 'Muster',
      Exec: '/opt/Muster/muster %U',
      Icon: 'muster',
      Type: 'Application',
      Terminal: 'false',
      StartupWMClass: 'muster',
      Categories: 'System;Monitor;',
      MimeType: 'x-scheme-handler/muster;',
      Actions: 'incidents;inventory;demo;',
      GenericName: 'Operator Console',
    })
    expect(actions.map((action) => action.trim().split('\n'))).toEqual([
      ['[Desktop Action incidents]', 'Name=Incidents', 'Exec=muster muster://room/incidents'],
      ['[Desktop Action inventory]', 'Name=Inventory', 'Exec=muster muster://room/inventory'],
      ['[Desktop Action demo]', 'Name=Demo', 'Exec=muster --demo'],
    ])
  })

  it.skipIf(noValidator)(
    `and one that desktop-file-validate accepts${noValidator ? ' (skipped: not here)' : ''}`,
    () => {
      for (const [name, text] of [
        ['package', argsOf()[1]],
        ['image', imageOf()?.desktop ?? ''],
      ] as const) {
        const file = path.join(folder, `${name}.desktop`)
        writeFileSync(file, text)
        expect(spawnSync('desktop-file-validate', [file], { encoding: 'utf8' })).toMatchObject({
          status: 0,
          stdout: '',
        })
      }
    },
  )

  it("an AppImage is started with Chromium's sandbox", () => {
    expect(imageOf()?.desktopFileName).toBe('muster.desktop')
    expect(imageOf()?.desktop).toContain('\nExec=AppRun %U\n')
    expect(imageOf()?.desktop).toContain('\nMimeType=x-scheme-handler/muster;\n')
  })

  it('an icon in every size, and the maintainer of the package', () => {
    const [args] = argsOf()
    for (const size of [16, 24, 32, 48, 64, 96, 128, 256, 512])
      expect(
        args.filter((arg) => arg.endsWith(`=/usr/share/icons/hicolor/${size}x${size}/apps/muster.png`)),
      ).toHaveLength(1)
    expect(args.some((arg) => arg.endsWith('=/usr/share/applications/muster.desktop'))).toBe(true)
    expect(args[args.indexOf('--maintainer') + 1]).toBe('Somebody <somebody@example.org>')
    expect(args[args.indexOf('--url') + 1]).toBe('https://example.org/muster')
  })
})
