import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../../src-shared/model/fault.ts'
import { many } from '../../../lib/format/numbers.ts'
import { FaultNote } from '../../../lib/ui/fault-note.tsx'

/** What all sections have. `offered`: null where the service does not tell its schema. `points`: of one press, likely. */
export interface SectionProps {
  device: string
  coreLost: boolean
  offered: boolean | null
  points: number
}

interface Props extends Pick<SectionProps, 'coreLost' | 'offered' | 'points'> {
  busy: boolean
  fault: Fault | null
  onPress: () => void
  children: ReactNode
}

/** A button that reads a section, with what that costs. */
export function ReadButton({ coreLost, offered, points, busy, fault, onPress, children }: Props) {
  return (
    <>
      {offered === null && (
        <p className="detail-note">Whether the service offers this is not known: it does not tell its schema.</p>
      )}
      <Button className="button" isDisabled={coreLost} isPending={busy} onPress={onPress}>
        {busy ? 'Reading…' : children}
      </Button>{' '}
      <span className="detail-note">About {many(Math.ceil(points), 'point')}</span>
      <FaultNote fault={fault} />
    </>
  )
}
