import { Play, Radio, Send, Square } from 'lucide-react'
import { Button } from 'react-aria-components'
import { MutationDialog } from './streams/mutation-dialog.tsx'
import type { Start } from './streams/use-start.ts'

interface Props {
  start: Start
  connection: string | null
  coreLost: boolean
}

/** Runs what is chosen, by its kind: a query, a subscription, or a mutation after a question. */
export function RunButton({ start, connection, coreLost }: Props) {
  const { kind, running, begin, end, asked } = start
  return (
    <>
      {running ? (
        <Button className="button primary" onPress={end}>
          <Square size={14} aria-hidden />
          {running === 'subscription' ? 'Stop' : 'Cancel'}
        </Button>
      ) : (
        <Button
          className={`button ${kind === 'mutation' ? 'danger' : 'primary'}`}
          isDisabled={coreLost || connection === null}
          onPress={begin}
        >
          {kind === 'query' && <Play size={14} aria-hidden />}
          {kind === 'subscription' && <Radio size={14} aria-hidden />}
          {kind === 'mutation' && <Send size={14} aria-hidden />}
          {{ query: 'Run', subscription: 'Subscribe', mutation: 'Run mutation…' }[kind]}
        </Button>
      )}
      {asked !== null && <MutationDialog asked={asked} coreLost={coreLost} onDone={start.close} />}
    </>
  )
}
