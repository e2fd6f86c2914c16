import type { Look } from './looks.ts'
import type { Rect } from './treemap.ts'

/** Colours of the map as the page computes them, and what is drawn by them. */
export interface Palette {
  ground: string
  tile: string
  bad: string
  warn: string
  hatch: string
  hatchGround: string
  ink: string
  faint: string
  /** Text on `bad` and `warn`. */
  onFill: string
  watched: string
  font: string
}

/** Names of the colours in the style sheet (`.map-colours`), by which they follow the theme. */
export const paletteNames = [
  'ground',
  'tile',
  'bad',
  'warn',
  'hatch',
  'hatchGround',
  'ink',
  'faint',
  'onFill',
  'watched',
] as const

/** Reads the colours from the elements of `.map-colours`. */
export function readPalette(box: HTMLElement): Palette {
  const colours = Object.fromEntries(
    paletteNames.map((name) => {
      const element = box.querySelector<HTMLElement>(`[data-colour=${name}]`)
      return [name, element === null ? '#888' : getComputedStyle(element).color]
    }),
  ) as Record<(typeof paletteNames)[number], string>
  return { ...colours, font: getComputedStyle(box).fontFamily }
}

export interface PaintedTile {
  rect: Rect
  look: Look
  name: string
  /** Returns a second line where there is room for one, such as "3 of 24". */
  note: () => string
  watched: boolean
}

export interface PaintedGroup {
  rect: Rect
  head: number
  name: string
  /** True for regions and tenants. */
  strong: boolean
}

/** A canvas whose units are CSS pixels, with its hatching. */
export interface Brush {
  context: CanvasRenderingContext2D
  palette: Palette
  hatch: CanvasPattern | string
}

/** Sizes the canvas to a box in CSS pixels, and returns a brush for it; null without a 2D context. `ratio`: device pixels. */
export function brushFor(
  canvas: HTMLCanvasElement,
  palette: Palette,
  { width, height }: { width: number; height: number },
  ratio: number,
): Brush | null {
  canvas.width = Math.max(1, Math.round(width * ratio))
  canvas.height = Math.max(1, Math.round(height * ratio))
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) return null
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  return { context, palette, hatch: hatchOf(context, palette, ratio) }
}

/** Diagonal lines, 6 CSS pixels apart. */
function hatchOf(context: CanvasRenderingContext2D, palette: Palette, ratio: number): CanvasPattern | string {
  const size = Math.max(4, Math.round(6 * ratio))
  const cell = document.createElement('canvas')
  cell.width = size
  cell.height = size
  const pen = cell.getContext('2d')
  if (pen === null) return palette.hatch
  pen.fillStyle = palette.hatchGround
  pen.fillRect(0, 0, size, size)
  pen.strokeStyle = palette.hatch
  pen.lineWidth = Math.max(1, ratio * 1.2)
  pen.beginPath()
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size)
    pen.lineTo(shift + size, 0)
  }
  pen.stroke()
  const pattern = context.createPattern(cell, 'repeat')
  pattern?.setTransform(new DOMMatrix().scale(1 / ratio))
  return pattern ?? palette.hatch
}

/** Draws the whole map. */
export function paintMap(
  brush: Brush,
  size: { width: number; height: number },
  groups: readonly PaintedGroup[],
  tiles: Iterable<PaintedTile>,
): void {
  const { context, palette } = brush
  context.fillStyle = palette.ground
  context.fillRect(0, 0, size.width, size.height)
  for (const group of groups) if (group.head > 0) paintHead(brush, group)
  for (const tile of tiles) paintTile(brush, tile)
}

function paintHead({ context, palette }: Brush, { rect, head, name, strong }: PaintedGroup): void {
  context.fillStyle = strong ? palette.ink : palette.faint
  context.font = `${strong ? 600 : 500} 11px ${palette.font}`
  context.textBaseline = 'middle'
  text(context, name, rect.x + 3, rect.y + head / 2 + 1, rect.width - 6)
}

/** Space between tiles, in CSS pixels, which narrow ones do not have. */
const gap = 1

/** Draws one tile over what was there. */
export function paintTile(brush: Brush, { rect, look, name, note, watched }: PaintedTile): void {
  if (rect.width <= 0 || rect.height <= 0) return
  const { context, palette, hatch } = brush
  const inner = innerOf(rect)
  context.fillStyle = palette.ground
  context.fillRect(rect.x, rect.y, rect.width, rect.height)
  context.fillStyle = palette.tile
  context.fillRect(inner.x, inner.y, inner.width, inner.height)
  const hatched = heightOf(look.hatched, inner.height)
  if (hatched > 0) {
    context.fillStyle = hatch
    context.fillRect(inner.x, inner.y, inner.width, hatched)
  }
  const filled = Math.min(heightOf(look.fill, inner.height), inner.height)
  if (filled > 0) {
    context.fillStyle = look.tone === 'bad' ? palette.bad : palette.warn
    context.fillRect(inner.x, inner.y + inner.height - filled, inner.width, filled)
  }
  if (watched) paintWatched(brush, inner)
  paintLabel(brush, inner, { name, note, covered: inner.height - filled, hatched })
}

function innerOf({ x, y, width, height }: Rect): Rect {
  const [across, down] = [width > 3 ? gap : 0, height > 3 ? gap : 0]
  return { x, y, width: width - across, height: height - down }
}

/** A share that is not nothing is seen: it has 2 pixels at least. */
const heightOf = (share: number, height: number): number =>
  share <= 0 ? 0 : share >= 1 ? height : Math.min(height, Math.max(2, share * height))

/** A corner at the top right, and a frame where there is room. */
function paintWatched({ context, palette }: Brush, { x, y, width, height }: Rect): void {
  const size = Math.min(9, width, height)
  context.fillStyle = palette.watched
  context.beginPath()
  context.moveTo(x + width - size, y)
  context.lineTo(x + width, y)
  context.lineTo(x + width, y + size)
  context.closePath()
  context.fill()
  if (width < 10 || height < 10) return
  context.strokeStyle = palette.watched
  context.lineWidth = 1
  context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1)
}

interface Label {
  name: string
  note: () => string
  /** Where the fill begins, from the top. */
  covered: number
  hatched: number
}

function paintLabel({ context, palette }: Brush, rect: Rect, { name, note, covered, hatched }: Label): void {
  if (rect.width < 44 || rect.height < 15) return
  const lines = [name, ...(rect.height >= 30 ? [note()] : [])]
  context.textBaseline = 'middle'
  lines.forEach((line, index) => {
    const middle = 8 + index * 13
    context.font = `${index === 0 ? 500 : 400} 10.5px ${palette.font}`
    // A line that the edge of the fill or hatching would cut through has a ground of its own.
    const isCut = Math.abs(covered - middle) < 8 || hatched > middle - 7
    if (isCut) plate(context, palette.tile, rect, middle, line)
    context.fillStyle = covered < middle && !isCut ? palette.onFill : index === 0 ? palette.ink : palette.faint
    text(context, line, rect.x + 4, rect.y + middle, rect.width - 8)
  })
}

/** A plain ground for text. */
function plate(context: CanvasRenderingContext2D, colour: string, rect: Rect, middle: number, line: string): void {
  context.fillStyle = colour
  const width = Math.min(rect.width - 4, context.measureText(line).width + 4)
  context.fillRect(rect.x + 2, rect.y + middle - 7, width, 14)
}

/** Draws text, shortened to a width. */
function text(context: CanvasRenderingContext2D, words: string, x: number, y: number, width: number): void {
  if (context.measureText(words).width <= width) return context.fillText(words, x, y)
  let [low, high] = [0, Math.min(words.length, 200)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (context.measureText(`${words.slice(0, middle)}…`).width <= width) low = middle
    else high = middle - 1
  }
  if (low > 0) context.fillText(`${words.slice(0, low).trimEnd()}…`, x, y)
}
