import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { FaultError } from '../../../src-shared/fault.ts'
import { imageFlags, installImage, installPackage, startImage } from '../../../src-main/updates/linux-install.ts'
import { until } from '../../support/estate.ts'
import { ownFolder } from '../shell/folder.ts'

/** A system with these programs; each notes how it was called, does what its script says, and nothing else. */
function system(programs: Record<string, string>) {
  const folder = ownFolder()
  const called = path.join(folder, 'called')
  const bin = path.join(folder, 'bin')
  mkdirSync(bin)
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\necho "${name} $*" >> '${called}'\n${script}\n`)
    chmodSync(path.join(bin, name), 0o755)
  }
  // As root by a password, with the system's programs alone.
  const asRoot = `test "$1" = --disable-internal-agent && shift && PATH='${bin}' exec "$@"`
  const allow = (script = asRoot) => {
    writeFileSync(path.join(bin, 'pkexec'), `#!/bin/sh\n${script}\n`)
    chmodSync(path.join(bin, 'pkexec'), 0o755)
  }
  const file = path.join(folder, 'it’s $(a) "new" one.deb')
  const late = new AbortController()
  return {
    folder, file, late, allow,
    install: (kind: 'deb' | 'rpm') => installPackage({ kind, file, late: late.signal, folders: [bin] }).then(() => 'installed', (thrown: unknown) => (thrown instanceof FaultError ? thrown.message : String(thrown))),
    called: () => (existsSync(called) ? readFileSync(called, 'utf8').trim().split('\n') : []),
  }
}

const sh = 'exec /bin/sh "$@"'

describe('a deb or rpm', () => {
  it('is installed as root by what the system has, its path as one word', async () => {
    const deb = system({ sh, dpkg: '' })
    deb.allow()
    expect(await deb.install('deb')).toBe('installed')
    expect(deb.called().slice(1)).toEqual([`dpkg -i ${deb.file}`])
    const ways: [string[], string][] = [
      [['zypper', 'dnf', 'rpm'], 'zypper --non-interactive --no-refresh install --allow-unsigned-rpm -f'], [['dnf', 'yum', 'rpm'], 'dnf install --nogpgcheck -y'],
      [['yum', 'rpm'], 'yum install --nogpgcheck -y'], [['rpm'], 'rpm -U --replacepkgs'],
    ]
    for (const [has, way] of ways) {
      const rpm = system(Object.fromEntries(has.map((name) => [name, ''])))
      rpm.allow()
      expect(await rpm.install('rpm')).toBe('installed')
      expect(rpm.called()).toEqual([`${way} ${rpm.file}`])
    }
  })

  it('whose dependencies are missing gets them, by the same password, and takes nothing else away', async () => {
    const lacking = system({ sh, dpkg: 'exit 1', 'apt-get': '' })
    lacking.allow()
    expect(await lacking.install('deb')).toBe('installed')
    expect(lacking.called().slice(1)).toEqual([`dpkg -i ${lacking.file}`, 'apt-get install -f -y --no-remove'])
    const hopeless = system({ sh, dpkg: 'exit 1', 'apt-get': 'exit 100' })
    hopeless.allow()
    expect(await hopeless.install('deb')).toBe('update: what installs packages here ended with code 100')
  })

  it('is not installed where the password is not given, nobody can ask for it, or nothing installs it', async () => {
    const off = system({ sh, dpkg: '', rpm: '' })
    expect(await off.install('deb')).toBe('update: pkexec, which asks for the password, is not installed here')
    off.allow('exit 126')
    expect(await off.install('deb')).toBe('update: the password was not given')
    off.allow('exit 127')
    expect(await off.install('rpm')).toBe('update: the system did not allow it, or has nothing that asks for the password')
    expect(off.called()).toEqual([])
    const other = system({})
    other.allow()
    expect(await other.install('deb')).toBe('update: nothing here installs deb packages')
    expect(await other.install('rpm')).toBe('update: nothing here installs rpm packages')
  })

  it('leaves this process free meanwhile, and gives up where nobody answers', async () => {
    const { install, allow, late, folder, called } = system({ rpm: '' })
    const asked = path.join(folder, 'asked')
    allow(`echo asked > '${asked}'; exec /bin/sleep 60`)
    const done = install('rpm')
    await until(() => expect(existsSync(asked)).toBe(true))
    late.abort(new FaultError('update', 'nobody answered'))
    expect(await done).toBe('update: nobody answered')
    expect(await install('rpm')).toBe('update: nobody answered')
    expect(called()).toEqual([])
  })

  it('asks nobody any more when Muster has ended meanwhile', async () => {
    const { folder, file, allow } = system({ rpm: '' })
    const asked = path.join(folder, 'asked')
    allow(`echo $$ > '${asked}.part' && /bin/mv '${asked}.part' '${asked}'; exec /bin/sleep 60`)
    const program = `import { existsSync } from 'node:fs'
      import { installPackage } from ${JSON.stringify(path.resolve('src-main/updates/linux-install.ts'))}
      void installPackage({ kind: 'rpm', file: ${JSON.stringify(file)}, late: new AbortController().signal, folders: [${JSON.stringify(path.join(folder, 'bin'))}] })
      setInterval(() => existsSync(${JSON.stringify(asked)}) && process.exit(0), 5)`
    expect(spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
    const asking = Number(readFileSync(asked, 'utf8'))
    await until(() => expect(() => process.kill(asking, 0)).toThrow('ESRCH'))
  })

  it('is waited for once it is being installed', async () => {
    const { install, allow, late, folder } = system({ rpm: '' })
    const [begun, go] = [path.join(folder, 'begun'), path.join(folder, 'go')]
    // As root's it cannot be ended by a user.
    allow(`trap '' TERM; echo begun > '${begun}'; while ! test -e '${go}'; do /bin/sleep 0.02; done`)
    const done = install('rpm')
    await until(() => expect(existsSync(begun)).toBe(true))
    late.abort(new FaultError('update', 'nobody answered'))
    writeFileSync(go, '')
    expect(await done).toBe('installed')
  })
})

describe('an AppImage', () => {
  function images(name: string) {
    const folder = ownFolder()
    const image = path.join(folder, name)
    writeFileSync(image, 'old')
    const file = path.join(ownFolder(), 'Muster-0.2.0-linux-x86_64.AppImage')
    writeFileSync(file, '#!/bin/sh\necho "$@" > "$0.ran"\n', { mode: 0o600 })
    return { folder, image, file }
  }

  it('takes the place of the former one: under its own name where that tells a version, else under the name that its person gave', async () => {
    const versioned = images('Muster-0.1.0-linux-x86_64.AppImage')
    const place = await installImage(versioned.file, versioned.image)
    expect(place).toBe(path.join(versioned.folder, 'Muster-0.2.0-linux-x86_64.AppImage'))
    expect(readdirSync(versioned.folder)).toEqual(['Muster-0.2.0-linux-x86_64.AppImage'])
    const own = images('muster')
    expect(await installImage(own.file, own.image)).toBe(own.image)
    expect(readFileSync(own.image)).toEqual(readFileSync(own.file))
    expect(readdirSync(own.folder)).toEqual(['muster'])
  })

  it('that cannot be put there whole leaves the former one where it is', async () => {
    const { folder, image, file } = images('Muster-0.1.0.AppImage')
    // Something that a file cannot replace.
    mkdirSync(path.join(folder, path.basename(file), 'in the way'), { recursive: true })
    await expect(installImage(file, image)).rejects.toMatchObject({ code: expect.stringMatching(/^E/u) as unknown })
    expect(readFileSync(image, 'utf8')).toBe('old')
    expect(readdirSync(folder).toSorted()).toEqual(['Muster-0.1.0.AppImage', path.basename(file)])
  })

  it('is started by itself, unpacked where this one was, and one that cannot be is told', async () => {
    const { image, file } = images('muster')
    await startImage(await installImage(file, image), [...imageFlags('/tmp/appimage_extracted_0a1b'), '--ozone-platform=x11'])
    await until(() => expect(readFileSync(`${image}.ran`, 'utf8')).toBe('--appimage-extract-and-run --ozone-platform=x11\n'))
    expect(imageFlags('/tmp/.mount_MusterAbc')).toEqual([])
    expect(imageFlags(undefined)).toEqual([])
    await expect(startImage(path.join(ownFolder(), 'nowhere'), [])).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
