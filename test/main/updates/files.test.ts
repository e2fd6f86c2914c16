import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { feedProblem } from '../../../src-shared/model/updates.ts'
import { readStart } from '../../../src-main/platform/desktop/links/deep-links.ts'
import { readBuild } from '../../../src-main/platform/shared/build-facts.ts'
import { openPendingUpdate, trySave } from '../../../src-main/updates/install/pending-update.ts'
import { copyOf, disabledReason } from '../../../src-main/updates/disabled.ts'
import { packageFacts } from '../../../src-main/updates/release/package-kind.ts'
import { copyLines } from '../../../src-shared/text/update-lines.ts'
import { noPolicy, policyFile, forbidsActions, readPolicy } from '../../../src-main/updates/policy.ts'
import { ownFolder } from '../platform/shared/folder.ts'
import { offerOf } from './copies.ts'

describe('the policy of a machine', () => {
  function policy(text: string | Buffer) {
    const file = path.join(ownFolder(), 'policy.json')
    writeFileSync(file, text)
    return readPolicy(file)
  }

  it('is read from where only an administrator writes', () => {
    vi.stubEnv('ProgramData', 'D:\\Data')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(policyFile('linux')).toBe('/etc/muster/policy.json')
    expect(policyFile('darwin')).toBe('/Library/Application Support/Muster/policy.json')
    // Whatever a user says about it: in ProgramData they may make a folder themselves.
    expect(policyFile('win32')).toBe('C:\\Program Files\\Common Files\\Muster\\policy.json')
  })

  it('is read whole or in part, and a missing one sets nothing', () => {
    expect(readPolicy(path.join(ownFolder(), 'policy.json'))).toEqual({ policy: noPolicy })
    expect(policy('{}')).toEqual({ policy: noPolicy })
    expect(policy('\uFEFF{ "updates": "ask", "feed": "https://it.example/muster/", "channel": "beta" }')).toEqual({
      policy: { updates: 'ask', feed: 'https://it.example/muster/', channel: 'beta', actions: null },
    })
    expect(policy('{ "actions": "off" }')).toEqual({ policy: { ...noPolicy, actions: 'off' } })
    expect(forbidsActions(policy('{ "actions": "off" }'))).toBe(true)
    expect(forbidsActions(policy('{ "actions": "on" }'))).toBe(true)
    expect(forbidsActions(policy('{}'))).toBe(false)
    expect(policy('{ "updates": "off" }')).toEqual({ policy: { ...noPolicy, updates: 'off' } })
  })

  it('that cannot be read is reported, with the reason', () => {
    const unread = (text: string | Buffer) => {
      const read = policy(text)
      return read.policy === null ? read.unread.replace(/^.*policy\.json: /, '') : 'it was read'
    }
    expect(unread('{')).toBe('it is no JSON')
    expect(unread('')).toBe('it is no JSON')
    expect(unread('{"update":"off"}')).toBe('"update" is not known here')
    expect(unread('{"Updates":"off","feed":1}')).toBe('"feed" cannot be used, "Updates" is not known here')
    expect(unread('[]')).toBe('the whole cannot be used')
    expect(unread('{ "updates": "on" }')).toBe('"updates" cannot be used')
    expect(unread('{ "updates": "ask", "feed": "http://it.example/", "channel": 3 }')).toBe(
      '"feed" and "channel" cannot be used',
    )
    expect(unread(Buffer.alloc(70_000, ' '))).toBe('it is too large')
    const folder = path.join(ownFolder(), 'policy.json')
    mkdirSync(folder)
    expect(readPolicy(folder)).toMatchObject({ policy: null, unread: `${folder}: it is no file` })
  })

  it.skipIf(process.getuid?.() === 0)(
    'without read permission is reported as unreadable (skipped for root, who reads everything)',
    () => {
      const file = path.join(ownFolder(), 'policy.json')
      writeFileSync(file, '{}')
      chmodSync(file, 0)
      expect(readPolicy(file)).toMatchObject({ policy: null, unread: `${file}: EACCES` })
    },
  )
})

describe('the facts of an installed copy', () => {
  it('are its package, its signature, and whether a policy was read', () => {
    const signed = { packaged: true, signed: true }
    const file = path.join(ownFolder(), 'policy.json')
    const facts = () => copyOf(signed, 'deb', file, readPolicy(file))
    expect(facts()).toEqual({ policy: 'none', file, kind: 'deb', signed: true })
    writeFileSync(file, '{}')
    expect(facts().policy).toBe('read')
    writeFileSync(file, '{"update":"off"}')
    expect(facts().policy).toBe('unread')
    expect(copyLines(facts())).toEqual([
      { name: 'Policy', text: `cannot be read: ${file}` },
      { name: 'Package', text: 'deb, signed' },
    ])
    expect(copyOf({ packaged: false, signed: false }, 'mac', file, readPolicy(file))).toMatchObject({
      kind: '',
      signed: false,
    })
  })
})

describe('the reason why a copy has no updates', () => {
  const copy = { packaged: true, signed: true, missing: null, apart: false, kind: 'AppImage' as const }

  it('is the first obstacle', () => {
    const read = { policy: noPolicy }
    expect(disabledReason(copy, read)).toBeNull()
    expect(disabledReason({ ...copy, packaged: false }, { policy: null, unread: 'x' })?.reason).toBe('development')
    expect(disabledReason({ ...copy, signed: false }, { policy: null, unread: 'x' })).toEqual({
      reason: 'policy-unread',
      detail: 'x',
    })
    expect(disabledReason({ ...copy, signed: false }, { policy: { ...noPolicy, updates: 'off' } })?.reason).toBe(
      'policy',
    )
    expect(disabledReason(copy, { policy: { ...noPolicy, updates: 'ask' } })).toBeNull()
    expect(disabledReason({ ...copy, signed: false, missing: 'package' }, read)?.reason).toBe('unsigned')
    for (const missing of ['package', 'publisher'] as const)
      expect(disabledReason({ ...copy, missing, apart: true }, read)?.reason).toBe(missing)
    expect(disabledReason({ ...copy, apart: true }, read)).toEqual({ reason: 'apart', detail: '' })
    for (const kind of ['deb', 'rpm'] as const)
      expect(disabledReason({ ...copy, kind, apart: true }, read)).toEqual({ reason: 'package-manager', detail: kind })
  })

  it('come from the build: signed only where it says so, updatable only by a known package', async () => {
    const resources = ownFolder()
    const facts = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
      packageFacts(platform, resources, env)
    const kind = async (...given: Parameters<typeof facts>) => (await facts(...given)).kind
    expect(readBuild(resources)).toEqual({ signed: false })
    expect(
      await Promise.all([
        kind('win32'),
        kind('darwin'),
        kind('linux'),
        kind('linux', { APPIMAGE: '/opt/Muster.AppImage' }),
      ]),
    ).toEqual([null, 'mac', null, 'AppImage'])
    expect([(await facts('win32')).missing, (await facts('linux')).missing, (await facts('darwin')).missing]).toEqual([
      'publisher',
      'package',
      null,
    ])
    const says = (text: string) => {
      writeFileSync(path.join(resources, 'app-update.yml'), text)
      return facts('win32')
    }
    expect(
      await says('provider: generic\nurl: https://maker.example/muster\npublisherName:\n  - Muster Makers\n'),
    ).toEqual({ kind: 'nsis', missing: null, feed: 'https://maker.example/muster', publishers: ['Muster Makers'] })
    expect(await says('provider: generic\nurl: http://maker.example/\npublisherName: Muster Makers\n')).toEqual({
      kind: 'nsis',
      missing: null,
      feed: '',
      publishers: ['Muster Makers'],
    })
    for (const text of [
      '',
      '[',
      'publisherName: 3',
      'provider: github\nurl: https://maker.example/\npublisherName: []',
    ])
      expect(await says(text)).toEqual({ kind: null, missing: 'publisher', feed: '', publishers: [] })
    writeFileSync(path.join(resources, 'package-type'), 'deb\n')
    expect(await kind('linux')).toBe('deb')
    writeFileSync(path.join(resources, 'package-type'), 'pacman')
    expect(await kind('linux')).toBeNull()
    for (const [text, signed] of [
      ['{"signed":true,"more":1}', true],
      ['{"signed":"true"}', false],
      ['{', false],
      ['{"signed":false}', false],
    ] as const) {
      writeFileSync(path.join(resources, 'build.json'), text)
      expect(readBuild(resources)).toEqual({ signed })
    }
  })
})

describe('the new version', () => {
  it('starts as the Windows installer starts it', () => {
    expect(readStart(['--updated'], true)).toEqual(readStart([], true))
  })
})

describe('the URL of a feed', () => {
  it('is a folder over https without a login', () => {
    expect(feedProblem('')).toBeNull()
    expect(feedProblem('https://updates.example/muster')).toBeNull()
    expect(feedProblem('https://updates.example:8443/')).toBeNull()
    expect(feedProblem('http://updates.example/')).toContain('must begin with https://')
    expect(feedProblem('updates.example')).toContain('Put https:// before it')
    expect(feedProblem('file:///etc')).not.toBeNull()
    expect(feedProblem('https://me:secret@updates.example/')).toBe(
      'Leave out the name and password: a feed is open to whoever reaches it.',
    )
    expect(feedProblem('https://updates.example/?sig=1')).toContain('Leave out the part from the ?')
    expect(feedProblem('https://updates.example/#a')).toContain('Leave out the part from the #')
  })
})

describe('the pending update', () => {
  const kept = { offer: offerOf('1.2.0'), tried: false }

  it('is restored as it was, for its owner alone, and removed with its download', () => {
    const profile = ownFolder()
    const pendingStore = openPendingUpdate(profile)
    expect(pendingStore.read()).toBeNull()
    pendingStore.write(kept)
    expect(openPendingUpdate(profile).read()).toEqual(kept)
    expect(statSync(path.join(profile, 'update.json')).mode & 0o777).toBe(0o600)
    mkdirSync(path.join(profile, 'updates', 'pending'), { recursive: true })
    writeFileSync(path.join(profile, 'updates', 'pending', 'Muster.AppImage'), 'x')
    pendingStore.write(null)
    expect(pendingStore.read()).toBeNull()
    expect(existsSync(path.join(profile, 'updates'))).toBe(false)
    pendingStore.write(null)
  })

  it('is dropped where it is damaged, or contains what no feed may say', () => {
    const profile = ownFolder()
    const file = path.join(profile, 'update.json')
    openPendingUpdate(profile).write(kept)
    const whole = readFileSync(file, 'utf8')
    for (const text of [
      '',
      '{',
      '{}',
      whole.replace('https://updates', 'http://updates'),
      whole.replace('Muster-1.2.0.AppImage', '../../evil'),
      whole.replace('"tried":false', '"tried":1'),
    ]) {
      writeFileSync(file, text)
      expect(openPendingUpdate(profile).read()).toBeNull()
    }
  })

  it('is reported as not stored where the disk rejects it', () => {
    const log: string[] = []
    expect(
      trySave(openPendingUpdate(path.join(ownFolder(), 'nowhere')), kept, (_level, text) => void log.push(text)),
    ).toBe(false)
    expect(log).toEqual([
      'updates: the pending update could not be recorded (The update cannot be written to the disk: ENOENT.)',
    ])
  })
})
