/*
 * A job keeps the lines of a CSV file that are no devices of it: in the place of a device's key, which has a `/`, they
 * have one of their own.
 */

const lineKey = /^line:(\d+)$/

/** Returns the key of a line that is no device of its job. */
export const keyOfLine = (line: number): string => `line:${line}`
/** Returns the line that a key stands for; null: it is the key of a device or a place. */
export function lineOfKey(key: string): number | null {
  const line = lineKey.exec(key)?.[1]
  return line === undefined ? null : Number(line)
}
