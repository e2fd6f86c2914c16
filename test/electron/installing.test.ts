import { EventEmitter } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FaultError } from '../../src-shared/model/fault.ts'
import { openEngine } from '../../src-main/platform/electron/updates/updater.ts'
import type { SelfUpdateKind } from '../../src-main/updates/release/package-kind.ts'
import { ownFolder } from '../main/platform/shared/folder.ts'
import { until } from '../support/fleet.ts'
import { standInForNative } from '../support/native-updater.ts'
import { hashOf } from '../support/update-feed.ts'

const bytes = Buffer.from('#!/bin/sh\necho "$@" > "$0.ran"\n')

/** electron-updater itself with what it has downloaded; the application notes what becomes of it. */
async function downloaded(kind: SelfUpdateKind, name: string, more: { image?: string } = {}) {
  vi.stubEnv('APPIMAGE', more.image)
  onTestFinished(() => void vi.unstubAllEnvs())
  const events = new EventEmitter()
  const did: unknown[] = []
  const app = Object.assign(events, {
    whenReady: async () => {},
    relaunch: (options: unknown) => void did.push(['relaunch', options]),
    releaseSingleInstanceLock: () => void did.push('unlocked'),
    quit: () => {
      did.push('quit')
      events.emit('before-quit')
    },
  })
  const engine = openEngine({
    app: app as unknown as Parameters<typeof openEngine>[0]['app'],
    version: '1.0.0',
    publishers: [],
    kind,
    profile: ownFolder(),
    flags: ['--ozone-platform=x11'],
  })
  const release = { version: '1.2.0', files: [{ url: name, sha512: hashOf(bytes), size: bytes.length }] }
  await engine.download(release, 'https://updates.example/muster/', async ({ destination }) =>
    writeFileSync(destination, bytes),
  )
  const late = new AbortController()
  return {
    app,
    did,
    late,
    install: () =>
      engine.install(late.signal).then(
        () => 'ending',
        (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
      ),
  }
}

describe('an AppImage', () => {
  it('is placed and started before the lock is released, and then this one ends', async () => {
    const folder = ownFolder()
    const image = path.join(folder, 'Muster-1.0.0-linux-x86_64.AppImage')
    writeFileSync(image, 'old')
    const { did, install } = await downloaded('AppImage', 'Muster-1.2.0-linux-x86_64.AppImage', { image })
    expect(await install()).toBe('ending')
    expect(did).toEqual(['unlocked', 'quit'])
    await until(() =>
      expect(readFileSync(path.join(folder, 'Muster-1.2.0-linux-x86_64.AppImage.ran'), 'utf8')).toBe(
        '--ozone-platform=x11\n',
      ),
    )
    expect(readdirSync(folder)).not.toContain('Muster-1.0.0-linux-x86_64.AppImage')
  })

  it('that cannot be placed keeps the lock and the running instance', async () => {
    const { did, install } = await downloaded('AppImage', 'Muster-1.2.0.AppImage', {
      image: path.join(ownFolder(), 'nowhere', 'Muster-1.0.0.AppImage'),
    })
    expect(await install()).toMatch(/^ENOENT/u)
    expect(did).toEqual([])
  })
})

describe('macOS', () => {
  const native = standInForNative()
  async function installing() {
    native.did.length = 0
    native.removeAllListeners()
    const copy = await downloaded('mac', 'Muster-1.2.0-mac.zip')
    const done = copy.install()
    await until(() => expect(native.did).toContain('checkForUpdates'))
    return { ...copy, done, listens: () => native.emit('update-downloaded') }
  }

  it('is ready some time later, and then ends this one', async () => {
    const { app, done, listens, did } = await installing()
    expect(did).toEqual([])
    listens()
    expect(native.did.at(-1)).toBe('quitAndInstall')
    // So Electron does then.
    app.quit()
    expect(await done).toBe('ending')
  })

  it('that is ready too late ends nothing: the user works by then', async () => {
    const { done, late, listens, did } = await installing()
    late.abort(new FaultError('update', 'not in time'))
    expect(await done).toBe('update: not in time')
    listens()
    expect([native.did.includes('quitAndInstall'), did]).toEqual([false, []])
  })

  it('that rejects it is reported, once', async () => {
    const { done, listens, did } = await installing()
    native.emit('error', new Error('the code signature is another one'))
    expect(await done).toBe('the code signature is another one')
    listens()
    expect([native.did.includes('quitAndInstall'), did]).toEqual([false, []])
  })
})
