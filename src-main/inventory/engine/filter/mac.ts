/**
 * The writings of a folded MAC address: as it is, without separators, with colons, with dashes, with dots. A part of one is
 * known by its colons alone (three pairs or more), because dots and dashes part other things too. Any other text has only its own.
 */
export function macFormats(text: string): readonly string[] {
  if (!wholeMac.test(text) && !partialMac.test(text)) return [text]
  const digits = text.replace(/[:.-]/gu, '')
  const split = (length: number, by: string) =>
    Array.from({ length: digits.length / length }, (_none, at) => digits.slice(at * length, (at + 1) * length)).join(by)
  const all = [text, digits, split(2, ':'), split(2, '-'), ...(digits.length === 12 ? [split(4, '.')] : [])]
  return [...new Set(all)]
}

const wholeMac =
  /^(?:[0-9a-f]{12}|[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}|[0-9a-f]{6}[:-][0-9a-f]{6})$/u
const partialMac = /^[0-9a-f]{2}(?::[0-9a-f]{2}){2,4}$/u
