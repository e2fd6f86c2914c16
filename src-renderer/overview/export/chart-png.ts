import { base64Of } from '../../lib/base64.ts'
import type { Line } from '../numbers/fleet-day.ts'
import { height, sparkPaths, width } from '../numbers/sparkline.tsx'

/** A line with its title and present value, as it is drawn into a picture. */
export interface ChartLine {
  title: string
  value: string
  line: Line
  before: Line | undefined
  tone: 'good' | 'bad' | 'unknown'
  fromZero: boolean
}

/** Pixels of the picture for each of the window's: it stays sharp on paper. */
const scale = 2
/** Lines beside each other, and the size of one with its texts, in the window's pixels. */
const [columns, cellWidth, cellHeight, margin, head] = [2, 380, 104, 20, 34]

/** Returns a canvas as PNG in base64. Rejects where the browser cannot make it. */
export async function pngOf(canvas: HTMLCanvasElement): Promise<string> {
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (blob === null) throw new Error('the picture is too large')
  return base64Of(blob)
}

/** Draws lines into a picture, in the colours of the window. */
export function drawLines(title: string, lines: readonly ChartLine[]): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const rows = Math.ceil(lines.length / columns)
  canvas.width = (columns * cellWidth + margin) * scale
  canvas.height = (head + rows * cellHeight + margin) * scale
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('the browser draws no picture')
  const { colour, font } = looksOf(document.documentElement)
  context.scale(scale, scale)
  context.fillStyle = colour('--pane')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = colour('--ink')
  context.font = `600 15px ${font}`
  context.fillText(title, margin, margin + 8)
  lines.forEach((line, index) => {
    context.save()
    context.translate(margin + (index % columns) * cellWidth, head + Math.floor(index / columns) * cellHeight)
    drawLine(context, line, colour, font)
    context.restore()
  })
  return canvas
}

function drawLine(
  context: CanvasRenderingContext2D,
  { title, value, line, before, tone, fromZero }: ChartLine,
  colour: (name: string) => string,
  font: string,
): void {
  const [lineWidth, lineHeight] = [cellWidth - margin, 44]
  context.fillStyle = colour('--ink-2')
  context.font = `500 12px ${font}`
  context.fillText(title, 0, 24, lineWidth - 90)
  context.fillStyle = colour('--ink')
  context.font = `600 16px ${font}`
  context.textAlign = 'end'
  context.fillText(value, lineWidth, 24)
  context.translate(0, 36)
  context.scale(lineWidth / width, lineHeight / height)
  const paths = sparkPaths({ line, before, fromZero })
  context.lineWidth = 1.5
  if (paths.before !== null) {
    context.strokeStyle = colour('--line-strong')
    context.setLineDash([3, 3])
    context.stroke(new Path2D(paths.before))
    context.setLineDash([])
  }
  context.strokeStyle = colour(`--${tone}`)
  context.fillStyle = colour(`--${tone}`)
  if (paths.area !== null) {
    const area = new Path2D(paths.area)
    context.globalAlpha = 0.12
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- no array: a canvas
    context.fill(area)
    context.globalAlpha = 1
  }
  context.stroke(new Path2D(paths.line))
}

/** Reads the window's colours by the names of its styles, and its font. */
function looksOf(root: HTMLElement): { colour: (name: string) => string; font: string } {
  const style = getComputedStyle(root)
  return {
    colour: (name) => style.getPropertyValue(name).trim(),
    font: getComputedStyle(document.body).fontFamily,
  }
}
