import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { Button, DialogTrigger, Popover } from 'react-aria-components'
import type { Job } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { LazyPart } from '../../lib/lazy-parts.tsx'
import { useStore } from '../../lib/store.ts'

const none: readonly Job[] = []

/** Returns the text of the status bar for one's own jobs that are not ended; '' without any. */
export function openJobsText(jobs: readonly Job[]): string {
  const count = (state: Job['state']) => jobs.filter((job) => job.owner === undefined && job.state === state).length
  const waiting = count('interrupted') + count('paused')
  return [
    count('running') > 0 ? `${many(count('running'), 'action')} running` : '',
    waiting > 0 ? `${many(waiting, 'action')} waiting for you` : '',
    count('scheduled') > 0 ? `${many(count('scheduled'), 'action')} scheduled` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** One's own jobs that are not ended, in the status bar. */
export function JobStatus() {
  const { deviceActions } = useAppContext()
  const jobs = useStore(deviceActions.state, (state) => state?.jobs ?? none)
  const [open, setOpen] = useState(false)
  const text = openJobsText(jobs)
  if (text === '') return null
  return (
    <DialogTrigger isOpen={open} onOpenChange={setOpen}>
      <Button className="status-button" data-jobs>
        <ListChecks size={13} aria-hidden />
        {text}
      </Button>
      <Popover className="popover" placement="top start" offset={6}>
        <LazyPart render={({ JobsPanel }) => <JobsPanel onDone={() => setOpen(false)} />} />
      </Popover>
    </DialogTrigger>
  )
}
