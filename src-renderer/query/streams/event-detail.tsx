import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AnswerSummary } from '../../../src-shared/model/query.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { AnswerView } from '../answer/answer-view.tsx'
import { SaveAnswer } from '../answer/save-answer.tsx'
import type { Answer } from '../query-state.ts'

interface Props {
  id: string
  event: number
  onClose: () => void
}

/** One event as JSON. */
export function EventDetail({ id, event, onClose }: Props) {
  const { session } = useAppContext()
  const [opened, setOpened] = useState<{ run: string; summary: AnswerSummary | null } | { fault: Fault } | null>(null)
  useEffect(() => {
    const run = crypto.randomUUID()
    let wanted = true
    void session.pipe.call('subscription.event', { id, event, run }).then((answer) => {
      if (wanted) setOpened(answer.ok ? { run, summary: answer.value.summary } : { fault: answer.fault })
    })
    return () => {
      wanted = false
      void session.pipe.call('query.forget', { run })
    }
  }, [session, id, event])
  return (
    <section className="stream-event" aria-label="Event">
      <div className="answer-head">
        <h2>Event {event}</h2>
        <span className="spring" />
        {opened !== null && 'run' in opened && opened.summary !== null && (
          <SaveAnswer run={opened.run} bytes={opened.summary.bytes} />
        )}
        <IconButton label="Close the event" onPress={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
      {opened !== null && 'fault' in opened && <FaultNote fault={opened.fault} />}
      {opened !== null && 'run' in opened && <Shown run={opened.run} summary={opened.summary} />}
    </section>
  )
}

function Shown({ run, summary }: { run: string; summary: AnswerSummary | null }) {
  if (summary === null) return <p className="muted-text">This event is no longer kept.</p>
  const answer: Answer = {
    status: 200,
    ms: 0,
    headers: [],
    cost: null,
    expected: 0,
    isWhole: true,
    fault: null,
    summary,
  }
  return <AnswerView run={run} answer={answer} />
}
