import { useSyncExternalStore } from 'react'
import { useAppContext } from '../context.ts'

/** A text that depends on the time. The component renders again only when the text changes. */
export function useTickedText(text: (now: number) => string): string {
  const { ticker } = useAppContext()
  return useSyncExternalStore(ticker.subscribe, () => text(ticker.now()))
}
