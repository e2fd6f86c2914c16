import { Button } from 'react-aria-components'
import { numberText } from '../format/numbers.ts'

interface Props {
  /** The shown page, from 0, and the rows of each. */
  page: number
  pageRows: number
  /** How many rows the page has, and all of them. */
  shown: number
  total: number
  onPage: (page: number) => void
}

/** The way to the pages of a list; nothing where it has one. */
export function Pager({ page, pageRows, shown, total, onPage }: Props) {
  if (total <= pageRows) return null
  const from = page * pageRows
  return (
    <p className="map-pages">
      <Button className="button" isDisabled={page === 0} onPress={() => onPage(page - 1)}>
        Previous
      </Button>
      <span role="status">
        {numberText(from + 1)} to {numberText(from + shown)} of {numberText(total)}
      </span>
      <Button className="button" isDisabled={from + pageRows >= total} onPress={() => onPage(page + 1)}>
        Next
      </Button>
    </p>
  )
}
