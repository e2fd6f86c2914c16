import type { ReactNode } from 'react'
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components'

interface Props {
  /** Its accessible name and tooltip. */
  label: string
  onPress: () => void
  children: ReactNode
  disabled?: boolean
}

export function IconButton({ label, onPress, children, disabled = false }: Props) {
  return (
    <TooltipTrigger delay={500}>
      <Button className="icon-button" aria-label={label} onPress={onPress} isDisabled={disabled}>
        {children}
      </Button>
      <Tooltip className="tooltip" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  )
}
