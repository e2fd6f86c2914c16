import { useState } from 'react'
import { Button } from 'react-aria-components'
import { reasonWords } from '../connections/words.ts'
import type { AppState } from '../session.ts'
import { useSurroundings } from '../surroundings.ts'

/** Where client secrets are kept; a locked keychain can be unlocked from here, by the system's own question. */
export function KeychainPlace({ keychain: { kind, detail } }: Pick<AppState, 'keychain'>) {
  const { session } = useSurroundings()
  const [asking, setAsking] = useState(false)
  const unlock = async () => {
    setAsking(true)
    await session.pipe.call('keychain.unlock', {})
    setAsking(false)
  }
  if (kind === 'keychain') return `In this computer’s keychain: ${detail}`
  if (kind === 'session') return `In memory until Muster quits, never on disk: ${reasonWords(detail)}`
  return (
    <>
      {`${detail}. What is typed meanwhile is in memory, and goes into the keychain as soon as that is unlocked. `}
      <Button className="button" isDisabled={asking} onPress={() => void unlock()}>{asking ? 'Asking' : 'Unlock'}</Button>
    </>
  )
}
