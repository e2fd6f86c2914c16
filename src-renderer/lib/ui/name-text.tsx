import { Isolated } from './isolated.tsx'

/** Whether a text shows nothing: it is empty, or blanks and signs without a shape alone. */
export function isBlank(text: string): boolean {
  return !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u.test(text)
}

/** A name as the service has it, apart from the direction of the words around it; one that shows nothing is said to be none. */
export function NameText({ name, clip = false }: { name: string; clip?: boolean }) {
  const style = clip ? 'clip' : undefined
  if (isBlank(name))
    return (
      <Isolated className={clip ? 'clip no-name' : 'no-name'} title="The service’s name for it is empty or blank">
        no name
      </Isolated>
    )
  return (
    <Isolated className={style} dir="auto" title={name.slice(0, 2000)}>
      {name}
    </Isolated>
  )
}
