import { CircleX, Info, TriangleAlert, X, type LucideIcon } from 'lucide-react'
import { explain } from '../../src-shared/fault.ts'
import type { Notice } from '../../src-shared/model.ts'
import type { SettingsPart } from '../../src-shared/rooms.ts'
import { reasonWords } from '../connections/words.ts'
import { useSurroundings } from '../surroundings.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { remedyOf, toldOnce } from '../words/remedy.ts'
import { BarWords } from './bar-words.tsx'
import { RemedyButton } from './remedy-button.tsx'
import { Isolated } from '../ui/isolated.tsx'

const icons: Record<Notice['level'], LucideIcon> = { info: Info, warning: TriangleAlert, error: CircleX }

/** What Muster says about itself. */
export function Notices({
  notices,
  onSettings,
}: {
  notices: readonly Notice[]
  onSettings: (part?: SettingsPart) => void
}) {
  return (
    <div role="status">
      {toldOnce(notices).map((notice) => (
        <NoticeLine key={notice.id} notice={notice} onSettings={onSettings} />
      ))}
    </div>
  )
}

function NoticeLine({
  notice: { id, level, fault },
  onSettings,
}: {
  notice: Notice
  onSettings: (part?: SettingsPart) => void
}) {
  const { session } = useSurroundings()
  const { title, advice } = explain(fault)
  const Icon = icons[level]
  const detail = fault.kind === 'keychain' ? reasonWords(fault.detail) : fault.detail
  return (
    <div className={`bar bar-${level}`}>
      <Icon size={16} aria-hidden />
      <BarWords>
        <strong>{title}</strong> {advice}
        {detail !== '' && (
          <span className="particulars">
            {' '}
            <Isolated>{detail}</Isolated>
          </span>
        )}
      </BarWords>
      <RemedyButton remedy={remedyOf(fault)} onSettings={onSettings} />
      <IconButton label="Dismiss" onPress={() => void session.pipe.call('notices.dismiss', { id })}>
        <X size={15} aria-hidden />
      </IconButton>
    </div>
  )
}
