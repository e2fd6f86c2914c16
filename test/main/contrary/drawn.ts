import {
  drawAnswers,
  usualAnswers,
  type Answers,
  type ContraryName,
} from '../../../src-service/faults/contrary/answers.ts'

/** The answers of a seed, but for the points of these names. */
export function answersOf(seed: number, without: readonly ContraryName[] = []): Answers {
  const drawn = drawAnswers(seed)
  const usual = usualAnswers()
  return { ...drawn, ...Object.fromEntries(without.map((name) => [name, usual[name]])) }
}
