/**
 * The dial is drawn in a box of 200 by 168 with its centre at (100, 100), from lower left over the top to lower right.
 */
export const middle = 100
const half = 120

/** Returns the angle of a part of the scale (0 to 1), in degrees clockwise from the top. */
export function angleOf(part: number): number {
  return -half + 2 * half * Math.max(0, Math.min(1, part))
}

/** Returns the point of a part of the scale at `radius` from the centre. */
export function pointAt(part: number, radius: number): { x: number; y: number } {
  const angle = (angleOf(part) * Math.PI) / 180
  return { x: round(middle + radius * Math.sin(angle)), y: round(middle - radius * Math.cos(angle)) }
}

/** Returns the position of a number of the scale: inside it, or below its ends, where the needle does not reach. */
export function labelAt(part: number): { x: number; y: number } {
  if (part > 0 && part < 1) return pointAt(part, 59)
  const end = pointAt(part, 80)
  return { x: end.x, y: end.y + 12 }
}

/** Returns the path of an arc of the scale. */
export function arc(radius: number, from: number, to: number): string {
  const start = pointAt(from, radius)
  const end = pointAt(to, radius)
  const large = angleOf(to) - angleOf(from) > 180 ? 1 : 0
  return `M ${start.x} ${start.y} A ${radius} ${radius} 0 ${large} 1 ${end.x} ${end.y}`
}

/** Returns the end points of a line across the scale. */
export function across(part: number, inner: number, outer: number): { x1: number; y1: number; x2: number; y2: number } {
  const from = pointAt(part, inner)
  const to = pointAt(part, outer)
  return { x1: from.x, y1: from.y, x2: to.x, y2: to.y }
}

const round = (value: number): number => Math.round(value * 100) / 100
