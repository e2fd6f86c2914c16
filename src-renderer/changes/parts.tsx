import { useStore } from '../lib/store.ts'
import { Choice } from '../lib/ui/choice.tsx'
import { changesPart, changesParts } from './query.ts'

/** The choice between what changed over time and a comparison. */
export function ChangesParts() {
  const part = useStore(changesPart)
  return <Choice label="What is compared" value={part} options={changesParts} onChange={changesPart.set} />
}
