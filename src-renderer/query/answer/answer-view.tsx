import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from 'react-aria-components'
import type { AnswerLine } from '../../../src-shared/model/query.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { listMove } from '../../inventory/tree/tree-moves.ts'
import type { Answer } from '../query-state.ts'
import { createJsonLines, type JsonLines } from './json-lines.ts'
import { tokensOf } from './tokens.ts'
import { useLines } from './use-lines.ts'

/** Lines of one page of the keys. */
const page = 20

/** An answer as indented JSON: only the visible lines are in the document, and in the window. */
export function AnswerView({ run, answer }: { run: string; answer: Answer }) {
  const { session } = useAppContext()
  const lines = useMemo(
    () => createJsonLines(session.pipe, run, answer.summary.lines),
    [session, run, answer.summary.lines],
  )
  const [at, setAt] = useState(0)
  useStore(lines.state)
  if (lines.isGone()) return <p className="muted-text">This answer is no longer kept. Run the query again.</p>
  return (
    <>
      <Search run={run} lines={lines} at={at} onFound={setAt} />
      <Lines lines={lines} at={at} onAt={setAt} />
    </>
  )
}

/** Finds a text in the whole answer, from the present line on. */
function Search({
  run,
  lines,
  at,
  onFound,
}: {
  run: string
  lines: JsonLines
  at: number
  onFound: (line: number) => void
}) {
  const { session } = useAppContext()
  const [text, setText] = useState('')
  const [missed, setMissed] = useState('')
  const find = async () => {
    if (text === '') return
    const answer = await session.pipe.call('query.find', { run, text, from: at + 1 })
    const line = answer.ok ? answer.value.line : null
    setMissed(line === null ? 'Not found.' : '')
    if (line === null) return
    lines.reveal(line)
    onFound(line)
  }
  return (
    <form
      className="answer-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        void find()
      }}
    >
      <input
        className="input"
        type="search"
        aria-label="Find in the answer"
        placeholder="Find in the answer"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button className="button" type="submit" isDisabled={text === ''}>
        Find next
      </Button>
      <span role="status" className="muted-text">
        {missed}
      </span>
    </form>
  )
}

interface LinesProps {
  lines: JsonLines
  /** The line of the cursor. */
  at: number
  onAt: (line: number) => void
}

function Lines({ lines, at, onAt }: LinesProps) {
  useStore(lines.state)
  const box = useRef<HTMLDivElement>(null)
  const count = lines.count()
  const shown = useLines(box, count, lines.placeOf(at))
  const toggle = (line: number) => {
    onAt(line)
    lines.toggle(line)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const to = listMove(event.key, lines.placeOf(at), count, page)
    const isFold = event.key === 'Enter' || event.key === (lines.isFolded(at) ? 'ArrowRight' : 'ArrowLeft')
    if (to === null && !isFold && event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    if (to !== null) onAt(lines.lineAt(to))
    else if (isFold) lines.toggle(at)
  }
  return (
    <div
      ref={box}
      id="answer"
      className="answer-lines"
      role="tree"
      tabIndex={0}
      aria-label="Answer as JSON"
      aria-activedescendant={`answer-line-${at}`}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ position: 'relative', blockSize: shown.height }}>
        {Array.from({ length: Math.max(0, shown.until - shown.from) }, (_, index) => {
          const place = shown.from + index
          const line = lines.lineAt(place)
          return (
            <Line
              key={line}
              line={line}
              top={shown.startOf(place)}
              read={lines.get(line)}
              folded={lines.isFolded(line)}
              active={line === at}
              onPress={() => onAt(line)}
              onToggle={() => toggle(line)}
            />
          )
        })}
      </div>
    </div>
  )
}

interface LineProps {
  line: number
  top: number
  read: AnswerLine | undefined
  folded: boolean
  active: boolean
  onPress: () => void
  onToggle: () => void
}

function Line({ line, top, read, folded, active, onPress, onToggle }: LineProps) {
  const opens = read !== undefined && read.closes > 0
  const Mark = folded ? ChevronRight : ChevronDown
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the tree has the focus and handles the keys
    <div
      id={`answer-line-${line}`}
      role="treeitem"
      className="answer-line"
      aria-level={(read?.depth ?? 0) + 1}
      aria-selected={active}
      {...(opens && { 'aria-expanded': !folded })}
      style={{ insetBlockStart: top }}
      onClick={onPress}
    >
      <span className="answer-number" aria-hidden>
        {numberText(line + 1)}
      </span>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- as above */}
      <span className="answer-fold" aria-hidden onClick={opens ? onToggle : undefined}>
        {opens && <Mark size={12} />}
      </span>
      {read === undefined ? (
        <span className="skeleton" />
      ) : (
        <code style={{ paddingInlineStart: `${read.depth * 2}ch` }}>
          {tokensOf(read.text).map(({ kind, text }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change their order
            <span key={index} className={`json-${kind}`}>
              {text}
            </span>
          ))}
          {read.isCut && <span className="muted-text"> … the line is longer</span>}
          {folded && <span className="muted-text"> … {numberText(read.closes - line)} lines</span>}
        </code>
      )}
    </div>
  )
}
