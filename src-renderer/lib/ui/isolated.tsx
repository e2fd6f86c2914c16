import { Children, type ComponentProps } from 'react'
import { contained } from '../../../src-shared/text/direction.ts'

/** Words of others, apart from the direction of what stands beside them: a <bdi> alone is closed by an end without a beginning. */
export function Isolated({ children, title, ...more }: ComponentProps<'bdi'>) {
  return (
    <bdi {...more} title={title === undefined ? undefined : contained(title)}>
      {Children.map(children, (child) => (typeof child === 'string' ? contained(child) : child))}
    </bdi>
  )
}
