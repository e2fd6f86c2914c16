/**
 * The formats of a folded MAC address: as given, without separators, with colons, with dashes, with dots. A partial one
 * is recognised only with colons (three pairs or more), because dots and dashes separate other things too. Any other
 * text has one format.
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
