import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, giveUp, root } from './setup.mjs'

/** Draws the images of `assets/` from its SVGs by a Chromium: run it after a change of one, and commit the results. */

const assets = path.join(root, 'assets')

/** Pixels of each image of Linux' icon theme; its largest is 512, and macOS' 1024. */
export const sizes = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024]
/** Up to this size the details of the large drawing would blur, so a plain one is used. */
const plainUpTo = 24
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
/** Apple's grid: the drawing fills 824 of 1024 pixels, and has a shadow. */
const macShare = 824 / 1024

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

/** Draws an SVG of `assets` on a transparent background, `share` of the image wide, in the middle. */
async function draw(page, name, size, share = 1) {
  const svg = `data:image/svg+xml;base64,${readFileSync(path.join(assets, name)).toString('base64')}`
  const { png, rgba } = await page.evaluate(
    async ({ svg, size, share }) => {
      const image = new Image(size, size)
      image.src = svg
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = size
      canvas.height = size
      const context = canvas.getContext('2d')
      const inset = (size * (1 - share)) / 2
      if (share < 1)
        Object.assign(context, {
          shadowColor: 'rgba(0, 0, 0, .3)',
          shadowBlur: size * 0.024,
          shadowOffsetY: size * 0.012,
        })
      context.drawImage(image, inset, inset, size * share, size * share)
      return {
        png: canvas.toDataURL('image/png').split(',')[1],
        rgba: size > 128 ? [] : [...context.getImageData(0, 0, size, size).data],
      }
    },
    { svg, size, share },
  )
  return { size, png: Buffer.from(png, 'base64'), rgba: Uint8Array.from(rgba) }
}

/** Returns the SVG that is clearest at this size. */
const iconFor = (size) => (size <= plainUpTo ? 'icon-small.svg' : 'icon.svg')

async function drawAll(page) {
  mkdirSync(path.join(assets, 'icons'), { recursive: true })
  const drawn = new Map()
  for (const size of sizes) drawn.set(size, await draw(page, iconFor(size), size))
  for (const size of sizes.filter((each) => each <= 512))
    writeFileSync(path.join(assets, 'icons', `${size}x${size}.png`), drawn.get(size).png)
  // The window's own icon, which the package contains.
  writeFileSync(path.join(assets, 'icon.png'), drawn.get(256).png)
  writeFileSync(
    path.join(assets, 'icon.ico'),
    ico(
      icoSizes.map((size) => (size < 256 ? { size, rgba: drawn.get(size).rgba } : { size, png: drawn.get(size).png })),
    ),
  )
  const mac = new Map()
  for (const [, size] of icnsTypes) mac.set(size, mac.get(size) ?? (await draw(page, 'icon.svg', size, macShare)).png)
  writeFileSync(path.join(assets, 'icon.icns'), icns(icnsTypes.map(([type, size]) => [type, mac.get(size)])))
  for (const name of readdirSync(assets).filter((each) => /^tray-.*\.svg$/u.test(each))) {
    // macOS' menu bar is 22 points high, and its images leave a margin.
    const size = name.includes('Template') ? 18 : 22
    const base = path.join(assets, name.replace(/\.svg$/u, ''))
    writeFileSync(`${base}.png`, (await draw(page, name, size)).png)
    writeFileSync(`${base}@2x.png`, (await draw(page, name, size * 2)).png)
  }
  writeFileSync(path.join(assets, 'icons', 'drawn-from.txt'), `${sourceStamp()}\n`)
}

/** Draws all images into `assets`. Rejects without a Chromium. */
export async function drawIcons() {
  const { equipBrowser } = await import('./equip.mjs')
  const { chromium } = await import('playwright')
  const equipped = await equipBrowser((line) => console.error(line))
  if ('reason' in equipped) throw new Error(equipped.reason)
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({
    executablePath: equipped.path,
    args: ['--disable-background-networking', '--no-first-run', ...sandbox],
  })
  try {
    await drawAll(await browser.newPage())
  } finally {
    await browser.close()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureInstalled()
  try {
    await drawIcons()
    console.log(`Written: ${path.relative(process.cwd(), assets)}`)
  } catch (error) {
    giveUp(`The pictures could not be drawn: ${error instanceof Error ? error.message : String(error)}`)
  }
}
