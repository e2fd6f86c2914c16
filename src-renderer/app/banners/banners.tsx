import { CircleX, Info, TriangleAlert, X, type LucideIcon } from 'lucide-react'
import { Button } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import type { Banner } from '../../../src-shared/model/inventory.ts'
import type { SettingsSection } from '../../../src-shared/navigation/screens.ts'
import { reasonText } from '../../connections/format.ts'
import { useAppContext } from '../../lib/context.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { remedyOf, shownBanners } from '../../lib/format/faults.ts'
import { showOffers } from '../../query/offers/offers-state.ts'
import { BarText } from './bar-text.tsx'
import { RemedyButton } from './remedy-button.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

const icons: Record<Banner['level'], LucideIcon> = { info: Info, warning: TriangleAlert, error: CircleX }

/** A banner of drift has the id of its connection behind this word (src-main/ipc/startup-banners.ts). */
const driftBanner = 'drift '

export function Banners({
  banners,
  onSettings,
}: {
  banners: readonly Banner[]
  onSettings: (part?: SettingsSection) => void
}) {
  return (
    <div role="status">
      {shownBanners(banners).map((banner) => (
        <BannerLine key={banner.id} banner={banner} onSettings={onSettings} />
      ))}
    </div>
  )
}

function BannerLine({
  banner: { id, level, fault },
  onSettings,
}: {
  banner: Banner
  onSettings: (part?: SettingsSection) => void
}) {
  const { session } = useAppContext()
  const { title, advice } = explain(fault)
  const Icon = icons[level]
  const detail = fault.kind === 'keychain' ? reasonText(fault.detail) : fault.detail
  return (
    <div className={`bar bar-${level}`}>
      <Icon size={16} aria-hidden />
      <BarText>
        <strong>{title}</strong> {advice}
        {detail !== '' && (
          <span className="fault-detail">
            {' '}
            <Isolated>{detail}</Isolated>
          </span>
        )}
      </BarText>
      {fault.kind === 'schema-drift' && (
        <Button className="button" onPress={() => showOffers(id.slice(driftBanner.length), 'history')}>
          Show changes
        </Button>
      )}
      <RemedyButton remedy={remedyOf(fault)} onSettings={onSettings} />
      <IconButton label="Dismiss" onPress={() => void session.pipe.call('banners.dismiss', { id })}>
        <X size={15} aria-hidden />
      </IconButton>
    </div>
  )
}
