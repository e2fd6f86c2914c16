import type { RebootOptions } from '../world/life/reboot-outcomes.ts'

export const rebootsUsage = `  --reboots WHAT    what comes of a reboot; may be given more than once. lost=SHARE and refused=SHARE: that share (0 to 1)
                    of the devices never comes back, or refuses; seconds=A-B: how long one is away (20-60)`

/** Returns the options of `--reboots`. Throws an Error with a message for the user. */
export function readReboots(texts: readonly string[]): RebootOptions {
  const options = texts.reduce<RebootOptions>((known, text) => ({ ...known, ...readOne(text) }), {})
  if ((options.lost ?? 0) + (options.refused ?? 0) > 1)
    throw new Error('--reboots: the shares of lost and refused are at most 1 together')
  return options
}

function readOne(text: string): RebootOptions {
  const [, name, share] = /^(lost|refused)=(\d?\.?\d+)$/.exec(text) ?? []
  if (name !== undefined && Number(share) <= 1) return { [name]: Number(share) }
  const [, least = '', most = ''] = /^seconds=(\d{1,6})-(\d{1,6})$/.exec(text) ?? []
  if (least !== '' && Number(least) <= Number(most)) return { seconds: [Number(least), Number(most)] }
  throw new Error(`--reboots takes lost=SHARE, refused=SHARE or seconds=A-B, not "${text}"`)
}
