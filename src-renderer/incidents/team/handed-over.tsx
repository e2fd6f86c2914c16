import { ClipboardCopy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { WrittenHandover } from '../../../src-shared/model/handovers.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { shortTime } from '../../lib/format/time.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { faultMessage } from '../actions/actions.ts'
import type { Incidents } from '../incidents.ts'
import { plainLines } from './plain-text.ts'
import { acceptedText, givenText, partiesText } from './handover-words.ts'

interface Props {
  incidents: Incidents
  id: string
  onDone: () => void
}

/** A handover of the team, which whom it is for accepts. */
export function HandedOverDialog(props: Props) {
  const read = useHandover(props.id)
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && props.onDone()} isDismissable>
      <Modal className="modal wide">
        <Dialog className="dialog">
          {/* It is there from the first moment on, because it names the dialog. */}
          <Heading slot="title">
            {read.handover === null ? 'Shift handover' : <Title {...props} handover={read.handover} />}
          </Heading>
          {read.handover === null ? (
            <>
              <p role="status">{read.failed === '' ? 'Reading…' : read.failed}</p>
              <div className="dialog-actions">
                <Button className="button" onPress={props.onDone}>
                  Close
                </Button>
              </div>
            </>
          ) : (
            <Shown {...props} handover={read.handover} />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function useHandover(id: string): { handover: WrittenHandover | null; failed: string } {
  const { session } = useAppContext()
  const [read, setRead] = useState<{ handover: WrittenHandover | null; failed: string }>({ handover: null, failed: '' })
  useEffect(() => {
    let isCurrent = true
    void session.pipe.call('handover.read', { id }).then((answer) => {
      if (!isCurrent) return
      if (!answer.ok) setRead({ handover: null, failed: faultMessage(answer.fault) })
      else if (answer.value.handover === null)
        setRead({ handover: null, failed: 'This handover is not known any more.' })
      else setRead({ handover: answer.value.handover, failed: '' })
    })
    return () => {
      isCurrent = false
    }
  }, [session, id])
  return read
}

function Title({ incidents: { team }, handover }: Props & { handover: WrittenHandover }) {
  const { times } = useSettings()
  const self = useStore(team.state, (state) => state?.operator ?? null)
  return <>Shift handover: {useTickedText((now) => givenText(handover, self, now, times))}</>
}

/** The text of a handover, which is Markdown, as a page to read. */
export function HandoverText({ text }: { text: string }) {
  return plainLines(text).map(({ text: line, isHead }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the lines of one text never change their order
    <span key={index}>
      {isHead ? <strong>{line}</strong> : line}
      {'\n'}
    </span>
  ))
}

function Shown({ incidents: { team, actions }, handover, onDone }: Props & { handover: WrittenHandover }) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const self = useStore(team.state, (state) => state?.operator ?? null)
  // Another window of this operator may have accepted it meanwhile.
  const known = useStore(team.handovers).find(({ id }) => id === handover.id) ?? handover
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const [copied, setCopied] = useState('')
  const span = useTickedText(
    (now) => `From ${shortTime(handover.since, now, times)} until ${shortTime(handover.until, now, times)}`,
  )
  const accepted = useTickedText((now) => acceptedText(known, now, times))

  async function accept() {
    setBusy(true)
    setFailed('')
    const answer = await session.pipe.call('handover.accept', { id: handover.id })
    setBusy(false)
    if (!answer.ok) return setFailed(faultMessage(answer.fault))
    actions.showMessage(`Accepted the handover: ${partiesText(handover, self)}.`)
    onDone()
  }

  async function copy() {
    const done = await navigator.clipboard.writeText(handover.text).then(
      () => true,
      () => false,
    )
    setCopied(done ? 'Copied.' : 'The clipboard could not be written. Click into the window and try again.')
  }

  return (
    <>
      <p>
        {span}, {accepted}.
      </p>
      {handover.note !== '' && <p className="handover-note">{handover.note}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
      <pre className="handover-text" tabIndex={0} role="region" aria-label="Text of the handover">
        <HandoverText text={handover.text} />
      </pre>
      <p className="hint" role="status">
        {copied}
      </p>
      <p className="field-error" role="alert">
        {failed}
      </p>
      <div className="dialog-actions">
        <Button className="button" onPress={onDone}>
          Close
        </Button>
        <Button className="button" onPress={() => void copy()}>
          <ClipboardCopy size={14} aria-hidden />
          Copy Markdown
        </Button>
        {handover.to === self && known.accepted === null && (
          <Button className="button primary" isDisabled={isBusy} onPress={() => void accept()}>
            Accept
          </Button>
        )}
      </div>
    </>
  )
}
