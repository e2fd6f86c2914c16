import { ClipboardCopy, Download } from 'lucide-react'
import { useState } from 'react'
import {
  Button,
  Dialog,
  FieldError,
  Heading,
  Input,
  Label,
  Modal,
  ModalOverlay,
  TextField,
} from 'react-aria-components'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { Choice } from '../../lib/ui/choice.tsx'
import { shortTime } from '../../lib/format/time.ts'
import type { Incidents } from '../incidents.ts'
import { HandOver, LastHandovers } from '../team/hand-over.tsx'
import { sinceOf } from './until.ts'

const lengths = [
  { value: '8 h', word: '8 hours' },
  { value: '12 h', word: '12 hours' },
  { value: '24 h', word: '24 hours' },
  { value: '', word: 'Other' },
] as const
type Length = (typeof lengths)[number]['value']

/** The dialog for a shift handover, which is made from stored data. */
export function HandoverDialog({ incidents, onDone }: { incidents: Incidents; onDone: () => void }) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onDone()} isDismissable>
      <Modal className="modal wide">
        <Dialog className="dialog">
          <Form incidents={incidents} onDone={onDone} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Form({ incidents, onDone }: { incidents: Incidents; onDone: () => void }) {
  const { actions, team } = incidents
  const isJoined = useStore(team.state, (state) => state !== null)
  const { ticker } = useAppContext()
  const { times } = useSettings()
  const [length, setLength] = useState<Length>('12 h')
  const [typed, setTyped] = useState('')
  const [asked] = useState(actions.state.get)
  const failed = useStore(actions.state, (state) => (state.failed && state !== asked ? state.words : ''))
  const wanted = length === '' ? typed : length
  const period = useTickedText((now) => {
    const from = sinceOf(wanted, now, times)
    return from === null || from === 'far' ? '' : `From ${shortTime(from, now, times)} until now.`
  })

  const tooLong = useTickedText((now) =>
    sinceOf(wanted, now, times) === 'far' ? 'A handover covers at most 31 days.' : '',
  )

  const fromNow = () => {
    const from = sinceOf(wanted, ticker.now(), times)
    return typeof from === 'number' ? from : null
  }

  async function make(how: 'copy' | 'md' | 'csv') {
    const from = fromNow()
    if (from !== null && (await actions.handover(from, how))) onDone()
  }
  return (
    <>
      <Heading slot="title">Shift handover</Heading>
      <p>
        Open, acknowledged, closed and flapping incidents, and maintenance windows. It is made on this computer, and
        goes nowhere unless you copy or save it{isJoined ? ', or hand it over' : ''}.
      </p>
      <Choice label="Period" value={length} options={lengths} onChange={setLength} />
      {length === '' && (
        <TextField
          className="field handover-typed"
          value={typed}
          onChange={setTyped}
          maxLength={40}
          isInvalid={tooLong !== ''}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- called up by the choice before it
          autoFocus
        >
          <Label>Start time or duration</Label>
          <Input className="input" autoComplete="off" placeholder="22:00 or 10 h" />
          <FieldError className="field-error">{tooLong}</FieldError>
        </TextField>
      )}
      <p className="hint" role="status">
        {period === '' ? 'Enter a time of day, as 22:00, or a duration of up to 31 days, as 10 h or 3 d.' : period}
      </p>
      <p className="field-error" role="alert">
        {failed}
      </p>
      {isJoined && <HandOver incidents={incidents} isReady={period !== ''} from={fromNow} onDone={onDone} />}
      {isJoined && <LastHandovers incidents={incidents} />}
      <Buttons isReady={period !== ''} isJoined={isJoined} make={make} onDone={onDone} />
    </>
  )
}

interface ButtonsProps {
  isReady: boolean
  isJoined: boolean
  make: (how: 'copy' | 'md' | 'csv') => Promise<void>
  onDone: () => void
}

function Buttons({ isReady, isJoined, make, onDone }: ButtonsProps) {
  return (
    <div className="dialog-actions">
      <Button className="button" onPress={onDone}>
        Cancel
      </Button>
      <Button className="button" isDisabled={!isReady} onPress={() => void make('csv')}>
        <Download size={14} aria-hidden />
        Save CSV
      </Button>
      <Button className="button" isDisabled={!isReady} onPress={() => void make('md')}>
        <Download size={14} aria-hidden />
        Save Markdown
      </Button>
      <Button
        className={isJoined ? 'button' : 'button primary'}
        isDisabled={!isReady}
        onPress={() => void make('copy')}
      >
        <ClipboardCopy size={14} aria-hidden />
        Copy Markdown
      </Button>
    </div>
  )
}
