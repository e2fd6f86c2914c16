import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../setup.mjs'

/** The folder of the icons and of their sources. */
export const assets = path.join(root, 'assets')

/** Pixels of each image of Linux' icon theme; its largest is 512, and macOS' 1024. */
export const sizes = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024]
/** Windows' sizes. The last one is a PNG, the others are bitmaps, which its oldest dialogs can read. */
export const icoSizes = [16, 24, 32, 48, 64, 128, 256]
/** macOS' names for the sizes in pixels: the second of each pair is the same image for a screen of double density. */
export const icnsTypes = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]

/** Returns a hash of the sources of the committed images. */
export function sourceStamp(folder = assets) {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith('.svg'))
    .sort()) {
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n'))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Returns images for Windows in one file. `images`: square, PNGs or rows of RGBA from the top. */
export function ico(images) {
  const bodies = images.map(({ size, png, rgba }) => png ?? bitmap(size, rgba))
  const head = Buffer.alloc(6 + 16 * images.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(images.length, 4)
  let offset = head.length
  for (const [at, { size }] of images.entries()) {
    const entry = 6 + 16 * at
    // A byte cannot hold 256; 0 stands for it.
    head[entry] = size % 256
    head[entry + 1] = size % 256
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(bodies[at].length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += bodies[at].length
  }
  return Buffer.concat([head, ...bodies])
}

/**
 * Returns a bitmap as an icon contains it: rows from the bottom, blue first, and a mask without effect beside the alpha
 * channel.
 */
function bitmap(size, rgba) {
  const maskRow = Math.ceil(size / 32) * 4
  const body = Buffer.alloc(40 + size * size * 4 + maskRow * size)
  body.writeUInt32LE(40, 0)
  body.writeInt32LE(size, 4)
  body.writeInt32LE(size * 2, 8)
  body.writeUInt16LE(1, 12)
  body.writeUInt16LE(32, 14)
  body.writeUInt32LE(size * size * 4 + maskRow * size, 20)
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const from = ((size - 1 - y) * size + x) * 4
      const to = 40 + (y * size + x) * 4
      body[to] = rgba[from + 2]
      body[to + 1] = rgba[from + 1]
      body[to + 2] = rgba[from]
      body[to + 3] = rgba[from + 3]
    }
  }
  return body
}

/** Returns images for macOS in one file: `[type, png]` each. */
export function icns(entries) {
  const parts = entries.map(([type, png]) => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32BE(8 + png.length, 4)
    return Buffer.concat([head, png])
  })
  const head = Buffer.alloc(8)
  head.write('icns', 'latin1')
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0), 4)
  return Buffer.concat([head, ...parts])
}
