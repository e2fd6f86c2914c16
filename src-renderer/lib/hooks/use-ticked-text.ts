import { useSyncExternalStore } from 'react'
import { useAppContext } from '../context.ts'

/** A text that depends on the time. The component renders again only when the text changes. */
export function useTickedText(text: (now: number) => string): string {
  const { ticker } = useAppContext()
  const read = () => text(ticker.now())
  return useSyncExternalStore(ticker.subscribe, read, read)
}
