import { contraryNames, contraryOptions, drawAnswers, isContraryName } from '../faults/contrary/answers.ts'
import type { Answers } from '../faults/contrary/answers.ts'

export const contraryUsage = `  --contrary KEY=VALUE
                    with --profile contrary: one answer to what the specification leaves open; may be given more than
                    once. Without any, and without a seed, those of seed 1
  --contrary-seed N with --profile contrary: draws all answers at random; what --contrary says goes before
${contraryNames.map((name) => `                    ${name}=${contraryOptions[name].takes}`).join('\n')}`

/** Returns the answers of `--contrary` and `--contrary-seed`. Throws an Error with a message for the user. */
export function readContrary(texts: readonly string[], seed: number | null): Partial<Answers> {
  const given: Partial<Answers> = Object.fromEntries(texts.map(readOne))
  return seed === null && texts.length > 0 ? given : { ...drawAnswers(seed ?? 1), ...given }
}

function readOne(text: string): [string, unknown] {
  const [name = '', value] = [text.split('=')[0], text.includes('=') ? text.slice(text.indexOf('=') + 1) : undefined]
  if (!isContraryName(name))
    throw new Error(`--contrary takes KEY=VALUE, not "${text}"; KEY is one of ${contraryNames.join(', ')}`)
  const { read, takes } = contraryOptions[name]
  const answer = value === undefined ? undefined : read(value)
  if (answer === undefined) throw new Error(`--contrary ${name}=${takes}, not "${text}"`)
  return [name, answer]
}
