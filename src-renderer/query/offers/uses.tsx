import { Isolated } from '../../lib/ui/isolated.tsx'
import { Age } from '../../lib/ui/moment.tsx'
import { matches } from './listing.ts'
import type { Offers } from './listing.ts'
import { textOf } from './uses-text.ts'

/** What Muster uses of the service, where it falls back, and why. */
export function Uses({ offers, search }: { offers: Offers; search: string }) {
  const uses = offers.uses
    .map((use) => ({ use, text: textOf(use) }))
    .filter(({ use, text }) => matches(search, text.label, text.state, text.why, use.name, use.detail))
  const leftOut = offers.leftOut.filter(({ path }) => matches(search, path, 'left out'))
  const types = offers.types.filter(({ variable, type }) => matches(search, variable, type))
  if (uses.length + leftOut.length + types.length === 0) return <p className="screen-note">No match.</p>
  return (
    <>
      {uses.length > 0 && (
        <table className="offers-table" aria-label="Used by Muster">
          <thead>
            <tr>
              <th scope="col">Feature</th>
              <th scope="col">State</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {uses.map(({ use, text }) => (
              <tr key={use.name}>
                <th scope="row">{text.label}</th>
                <td>
                  <span className="offers-tag" data-state={use.state}>
                    {text.state}
                  </span>
                </td>
                <td>
                  {text.why} {use.detail !== '' && <Isolated className="mono muted-text">{use.detail}</Isolated>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {leftOut.length > 0 && (
        <>
          <h2>Left out of Muster’s documents</h2>
          <p className="muted-text">
            The service rejected these fields, or its schema lacks them. Each is tried again after a day and a half.
          </p>
          <ul className="offers-list">
            {leftOut.map(({ path, at }) => (
              <li key={path}>
                <Isolated className="mono">{path}</Isolated> · <Age at={at} />
              </li>
            ))}
          </ul>
        </>
      )}
      {types.length > 0 && (
        <>
          <h2>Types that the service wants for variables</h2>
          <ul className="offers-list">
            {types.map(({ variable, type }) => (
              <li key={variable}>
                <Isolated className="mono">{`$${variable}: ${type}`}</Isolated>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
