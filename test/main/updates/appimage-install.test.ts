import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appImageFlags, installAppImage, startAppImage } from '../../../src-main/updates/install/appimage-install.ts'
import { until } from '../../support/fleet.ts'
import { ownFolder } from '../platform/shared/folder.ts'

describe('an AppImage', () => {
  function images(name: string) {
    const folder = ownFolder()
    const image = path.join(folder, name)
    writeFileSync(image, 'old')
    const file = path.join(ownFolder(), 'Muster-0.2.0-linux-x86_64.AppImage')
    writeFileSync(file, '#!/bin/sh\necho "$@" > "$0.ran"\n', { mode: 0o600 })
    return { folder, image, file }
  }

  it('replaces the old one, under a new name only where the name contains a version', async () => {
    const versioned = images('Muster-0.1.0-linux-x86_64.AppImage')
    const place = await installAppImage(versioned.file, versioned.image)
    expect(place).toBe(path.join(versioned.folder, 'Muster-0.2.0-linux-x86_64.AppImage'))
    expect(readdirSync(versioned.folder)).toEqual(['Muster-0.2.0-linux-x86_64.AppImage'])
    const own = images('muster')
    expect(await installAppImage(own.file, own.image)).toBe(own.image)
    expect(readFileSync(own.image)).toEqual(readFileSync(own.file))
    expect(readdirSync(own.folder)).toEqual(['muster'])
  })

  it('that cannot be placed whole leaves the old one where it is', async () => {
    const { folder, image, file } = images('Muster-0.1.0.AppImage')
    // Something that a file cannot replace.
    mkdirSync(path.join(folder, path.basename(file), 'in the way'), { recursive: true })
    await expect(installAppImage(file, image)).rejects.toMatchObject({ code: expect.stringMatching(/^E/u) as unknown })
    expect(readFileSync(image, 'utf8')).toBe('old')
    expect(readdirSync(folder).toSorted()).toEqual(['Muster-0.1.0.AppImage', path.basename(file)])
  })

  it('is started by itself, unpacked where this one was, or the failure is reported', async () => {
    const { image, file } = images('muster')
    await startAppImage(await installAppImage(file, image), [
      ...appImageFlags('/tmp/appimage_extracted_0a1b'),
      '--ozone-platform=x11',
    ])
    await until(() =>
      expect(readFileSync(`${image}.ran`, 'utf8')).toBe('--appimage-extract-and-run --ozone-platform=x11\n'),
    )
    expect(appImageFlags('/tmp/.mount_MusterAbc')).toEqual([])
    expect(appImageFlags(undefined)).toEqual([])
    await expect(startAppImage(path.join(ownFolder(), 'nowhere'), [])).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
