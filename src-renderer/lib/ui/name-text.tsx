import { Isolated } from './isolated.tsx'

/** Returns whether a text shows nothing: it is empty or has only blanks and invisible characters. */
export function isBlank(text: string): boolean {
  return !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u.test(text)
}

/** A foreign name that cannot affect the direction of adjacent text. An invisible one is shown as "no name". */
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
