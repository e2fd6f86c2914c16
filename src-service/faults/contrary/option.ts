/** One open point of the specification, and its possible answers. */
export type Option<T> = {
  /** The service's own answer, as in the other profiles. */
  usual: T
  /** The other answers that a seed draws from. */
  alternatives: readonly T[]
  /** Reads the command line's value; returns undefined for an invalid one. */
  read(text: string): T | undefined
  /** The accepted values, for the usage and for messages. */
  takes: string
}

export type ValueOf<O> = O extends Option<infer T> ? T : never

/** Returns an option with one of these words; the first is usual. */
export function choice<const T extends string | number>(usual: T, ...alternatives: readonly T[]): Option<T> {
  const all = [usual, ...alternatives]
  return {
    usual,
    alternatives,
    read: (text) => all.find((one) => String(one) === text),
    takes: all.map((one) => (one === '' ? '""' : one)).join('|'),
  }
}

/** Returns the option with another word that no seed draws, for tests only. */
export function withExtraWord<T extends string | number, const U extends string>(
  option: Option<T>,
  word: U,
): Option<T | U> {
  return {
    usual: option.usual,
    alternatives: option.alternatives,
    read: (text) => (text === word ? word : option.read(text)),
    takes: `${option.takes}|${word}`,
  }
}

export function yesOrNo(usual: boolean): Option<boolean> {
  return {
    usual,
    alternatives: [!usual],
    read: (text) => (text === 'yes' ? true : text === 'no' ? false : undefined),
    takes: 'yes|no',
  }
}

export function whole(usual: number, alternatives: readonly number[], least = 0): Option<number> {
  const read = (text: string): number | undefined =>
    /^-?\d{1,15}$/.test(text) && Number(text) >= least ? Number(text) : undefined
  return { usual, alternatives, read, takes: 'N' }
}

/** Returns an option with a share, 0 to 1; usually 0. */
export function share(...alternatives: readonly number[]): Option<number> {
  const read = (text: string): number | undefined =>
    /^\d?\.?\d+$/.test(text) && Number(text) <= 1 ? Number(text) : undefined
  return { usual: 0, alternatives, read, takes: '0..1' }
}

/** Returns an option with any of these words, joined by commas; usually none. */
export function someOf<const T extends string>(names: readonly T[]): Option<readonly T[]> {
  const read = (text: string): readonly T[] | undefined => {
    const given = text === '' ? [] : text.split(',')
    const known = names.filter((name) => given.includes(name))
    return known.length === given.length ? known : undefined
  }
  return { usual: [], alternatives: names.map((name) => [name]), read, takes: names.join(',') }
}
