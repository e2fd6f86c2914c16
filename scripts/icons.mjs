import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { assets, icns, icnsTypes, ico, icoSizes, sizes, sourceStamp } from './packaging/icon-files.mjs'
import { ensureInstalled, exitWithError } from './setup.mjs'

/** Draws the images of `assets/` from its SVGs by a Chromium: run it after a change of one, and commit the results. */

/** Up to this size the details of the large drawing would blur, so a plain one is used. */
const plainUpTo = 24
/** Apple's grid: the drawing fills 824 of 1024 pixels, and has a shadow. */
const macShare = 824 / 1024

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
async function drawIcons() {
  const { installBrowser } = await import('./test/tools.mjs')
  const { chromium } = await import('playwright')
  const installed = await installBrowser((line) => console.error(line))
  if ('reason' in installed) throw new Error(installed.reason)
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({
    executablePath: installed.path,
    args: ['--disable-background-networking', '--no-first-run', ...sandbox],
  })
  try {
    await drawAll(await browser.newPage())
  } finally {
    await browser.close()
  }
}

ensureInstalled()
try {
  await drawIcons()
  console.log(`Written: ${path.relative(process.cwd(), assets)}`)
} catch (error) {
  exitWithError(`The icons could not be drawn: ${error instanceof Error ? error.message : String(error)}`)
}
