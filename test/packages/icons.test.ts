import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { icns, icnsTypes, ico, icoSizes, sizes, sourceStamp } from '../../scripts/packaging/icon-files.mjs'

const read = (name: string) => readFileSync(path.join('assets', name))

/** Width and height of a PNG with an alpha channel, by its head. */
function sizeOf(png: Buffer) {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n')
  // 8 bits for each of red, green, blue and alpha.
  expect([...png.subarray(24, 26)]).toEqual([8, 6])
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

const bitmapBytes = (size = 0) => 40 + size ** 2 * 4 + Math.ceil(size / 32) * 4 * size

/** The entries of an .ico: their size by the list, and by what they are. */
function entriesOf(file: Buffer) {
  expect([file.readUInt16LE(0), file.readUInt16LE(2)]).toEqual([0, 1])
  return Array.from({ length: file.readUInt16LE(4) }, (_none, at) => {
    const entry = 6 + 16 * at
    const body = file.subarray(
      file.readUInt32LE(entry + 12),
      file.readUInt32LE(entry + 12) + file.readUInt32LE(entry + 8),
    )
    const png = body.readUInt32BE(0) === 0x89504e47
    // A bitmap of an icon says twice its height: the mask is below it.
    const drawn = png ? sizeOf(body) : [body.readInt32LE(4), body.readInt32LE(8) / 2]
    return {
      listed: [file[entry] || 256, file[entry + 1] || 256],
      drawn,
      png,
      whole: png || body.length === bitmapBytes(drawn[0]),
    }
  })
}

function partsOf(file: Buffer) {
  expect(file.subarray(0, 4).toString('latin1')).toBe('icns')
  expect(file.readUInt32BE(4)).toBe(file.length)
  const parts: [string, Buffer][] = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4))
    parts.push([file.subarray(at, at + 4).toString('latin1'), file.subarray(at + 8, at + file.readUInt32BE(at + 4))])
  return parts
}

describe('the pictures of assets', () => {
  it('were drawn from the SVGs in the folder (npm run icons)', () => {
    expect(read('icons/drawn-from.txt').toString().trim()).toBe(sourceStamp())
  })

  it.each(sizes.filter((size) => size <= 512))('Linux has one of %i pixels', (size) => {
    expect(sizeOf(read(`icons/${size}x${size}.png`))).toEqual([size, size])
  })

  it('Windows has all sizes in one file', () => {
    const entries = entriesOf(read('icon.ico'))
    expect(entries.map(({ drawn }) => drawn)).toEqual(icoSizes.map((size) => [size, size]))
    for (const { listed, drawn, whole, png } of entries) {
      expect(listed).toEqual(drawn)
      expect(whole).toBe(true)
      expect(png).toBe(drawn[0] === 256)
    }
  })

  it('macOS has all sizes in one file, each also for a screen of twice the density', () => {
    expect(partsOf(read('icon.icns')).map(([type, png]) => [type, sizeOf(png)])).toEqual(
      icnsTypes.map(([type, size]) => [type, [size, size]]),
    )
  })

  it.each(['idle', 'alert', 'lost'])('the tray has %s, plain and as a template, in both densities', (face) => {
    for (const [name, size] of [
      [`tray-${face}`, 22],
      [`tray-${face}Template`, 18],
    ] as const) {
      expect(sizeOf(read(`${name}.png`))).toEqual([size, size])
      expect(sizeOf(read(`${name}@2x.png`))).toEqual([size * 2, size * 2])
    }
  })
})

describe('the containers', () => {
  it('a bitmap of an icon has its rows from the bottom, and blue first', () => {
    const rgba = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
    const file = ico([{ size: 2, rgba }])
    expect([...file.subarray(22 + 40, 22 + 56)]).toEqual([11, 10, 9, 12, 15, 14, 13, 16, 3, 2, 1, 4, 7, 6, 5, 8])
    expect(entriesOf(file)).toEqual([{ listed: [2, 2], drawn: [2, 2], png: false, whole: true }])
  })

  it('a part of an .icns says how long it is', () => {
    expect(
      partsOf(
        icns([
          ['ic07', Buffer.from('ab')],
          ['ic08', Buffer.from('c')],
        ]),
      ).map(([type, body]) => [type, body.toString()]),
    ).toEqual([
      ['ic07', 'ab'],
      ['ic08', 'c'],
    ])
  })
})
