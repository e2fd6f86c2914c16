import { useRef, useState } from 'react'
import { importLimit } from '../../src-shared/contract/limits.ts'
import { type AssetField, assetFields, type AssetList } from '../../src-shared/model/comparison.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import { problemOf, textOfFile } from '../lib/list-text.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import { FileButton } from '../lib/ui/list-source.tsx'
import { fieldWords } from './words.ts'

interface Props {
  list: AssetList | null
  coreLost: boolean
  onList: (list: AssetList) => void
}

/** The asset list of a comparison: its file or pasted lines, and what its columns are. */
export function ListField({ list, coreLost, onList }: Props) {
  const { session } = useAppContext()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  // What is read last counts.
  const turn = useRef(0)
  async function take(name: string, read: () => Promise<{ text: string } | { problem: string }>) {
    turn.current += 1
    const its = turn.current
    setBusy(true)
    setFault(null)
    const found = await read()
    const problem = 'problem' in found ? found.problem : problemOf(found.text, importLimit)
    const answer =
      'text' in found && problem === null ? await session.pipe.call('compare.list', { name, text: found.text }) : null
    if (its !== turn.current) return
    setBusy(false)
    if (answer?.ok === true) onList(answer.value)
    else setFault(answer?.ok === false ? answer.fault : { kind: 'input', detail: problem ?? '' })
  }
  async function setField(index: number, field: AssetField | null) {
    if (list === null) return
    const fields = list.heads.map((head, at) => (at === index ? field : head.field === field ? null : head.field))
    const answer = await session.pipe.call('compare.columns', { list: list.list, fields })
    setFault(answer.ok ? null : answer.fault)
    if (answer.ok) onList(answer.value)
  }
  return (
    <div className="compare-list">
      <div className="compare-source">
        <FileButton
          busy={busy || coreLost}
          onFile={(file) => void take(file.name.slice(0, 300), () => textOfFile(file, importLimit))}
        />
        <input
          className="input"
          aria-label="Paste the lines of an asset list"
          placeholder="or paste its lines here (Ctrl V)"
          readOnly
          value=""
          onPaste={(event) => {
            event.preventDefault()
            const text = event.clipboardData.getData('text/plain')
            if (!busy && !coreLost) void take('Pasted lines', async () => ({ text }))
          }}
        />
        {list !== null && (
          <p className="muted-text">
            <Isolated>{list.name}</Isolated>, {many(list.lines, 'line')}
          </p>
        )}
      </div>
      <FaultNote fault={fault} />
      {list !== null && <Columns list={list} disabled={coreLost} onField={(...set) => void setField(...set)} />}
      {list !== null && <Problems list={list} />}
    </div>
  )
}

interface ColumnsProps {
  list: AssetList
  disabled: boolean
  onField: (index: number, field: AssetField | null) => void
}

/** The columns of a list, with a value of each, and what they are taken for. */
function Columns({ list: { heads }, disabled, onField }: ColumnsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
    <div className="compare-columns" tabIndex={0} role="region" aria-label="Columns of the list">
      {heads.map(({ head, sample, field }, index) => (
        <label key={`${index} ${head}`} className="compare-column" data-used={field !== null}>
          <Isolated className="clip compare-head">{head === '' ? `Column ${index + 1}` : head}</Isolated>
          <select
            className="input"
            aria-label={`What the column ${head === '' ? index + 1 : head} is`}
            disabled={disabled}
            value={field ?? ''}
            onChange={({ target }) => onField(index, assetFields.find((each) => each === target.value) ?? null)}
          >
            <option value="">Not compared</option>
            {assetFields.map((each) => (
              <option key={each} value={each}>
                {fieldWords[each]}
              </option>
            ))}
          </select>
          <Isolated className="clip muted-text">{sample === '' ? 'empty' : sample}</Isolated>
        </label>
      ))}
    </div>
  )
}

/** The lines that cannot be read, and are not compared. */
function Problems({ list: { problems, problemCount } }: { list: AssetList }) {
  if (problemCount === 0) return null
  return (
    <details className="compare-problems">
      <summary>
        {problemCount === 1 ? '1 line cannot be read' : `${numberText(problemCount)} lines cannot be read`} and{' '}
        {problemCount === 1 ? 'is' : 'are'} not compared
      </summary>
      <ul>
        {problems.map(({ line, problem }) => (
          <li key={line}>
            Line {numberText(line)}: {problem}
          </li>
        ))}
      </ul>
    </details>
  )
}
