/**
 * What Electron does on some systems and not on others, switched on by the test (MUSTER_TEST_HOSTILE, names with commas between). What it
 * does everywhere is no switch: the stand-in always does it.
 */
export const hostilities = [
  /** Linux on Wayland: a hidden window draws no frame (electron#48859). */
  'no-ready-to-show',
  /** macOS: the list of delivered notifications never comes. */
  'history-never-answers',
  /** Windows: Node's channel to another program than Node, which Electron is, is not there, and says so at once. */
  'no-channel',
] as const
export type Hostility = (typeof hostilities)[number]

const on = new Set((process.env['MUSTER_TEST_HOSTILE'] ?? '').split(',').filter((name) => name !== ''))
for (const name of on)
  if (!(hostilities as readonly string[]).includes(name)) throw new Error(`the stand-in knows no hostility ${name}`)

export const isHostile = (name: Hostility): boolean => on.has(name)
