import { Children, type ComponentProps } from 'react'
import { contained } from '../../../src-shared/text/direction.ts'

/**
 * Foreign text that cannot affect the direction of adjacent text. A <bdi> alone does not suffice: an unmatched end
 * closes it.
 */
export function Isolated({ children, title, ...more }: ComponentProps<'bdi'>) {
  return (
    <bdi {...more} title={title === undefined ? undefined : contained(title)}>
      {Children.map(children, (child) => (typeof child === 'string' ? contained(child) : child))}
    </bdi>
  )
}
