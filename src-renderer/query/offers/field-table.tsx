import { SquareArrowOutUpRight } from 'lucide-react'
import type { GraphQLSchema } from 'graphql'
import { numberText } from '../../lib/format/numbers.ts'
import { CopyButton } from '../../lib/ui/buttons/copy-button.tsx'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { openInTab } from '../kept/operations.ts'
import { signatureOf, type ListedField, type OperationKind } from './listing.ts'
import { closeOffers } from './offers-state.ts'
import { skeletonOf } from './skeleton.ts'

interface Props {
  label: string
  fields: readonly ListedField[]
  /** Returns how Muster uses a field; null: that is not shown. */
  use: ((name: string) => string) | null
  /** How a field is opened in a tab of the query screen; null: it cannot be. */
  open: { kind: OperationKind; schema: GraphQLSchema; connection: string } | null
}

/** Most fields that are shown: a search narrows them. */
const maxShown = 300

/** Fields of a type with arguments, type and description. */
export function FieldTable({ label, fields, use, open }: Props) {
  return (
    <>
      <table className="offers-table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            {use !== null && <th scope="col">In Muster</th>}
            <th scope="col">Description</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.slice(0, maxShown).map((field) => (
            <tr key={field.name}>
              <th scope="row">
                <Isolated className="mono">{field.name}</Isolated>
                {field.args !== '' && <Isolated className="mono offers-args">{field.args}</Isolated>}
              </th>
              <td>
                <Isolated className="mono">{field.type}</Isolated>
              </td>
              {use !== null && <td>{use(field.name)}</td>}
              <td>
                {field.deprecated !== null && (
                  <p>
                    <span className="offers-tag" data-severity="dangerous">
                      Deprecated
                    </span>{' '}
                    <Isolated>{field.deprecated}</Isolated>
                  </p>
                )}
                {field.description !== '' && <Isolated>{field.description}</Isolated>}
              </td>
              <td className="offers-actions">
                <CopyButton text={signatureOf(field)} what={field.name} />
                {open !== null && (
                  <IconButton label={`Open ${field.name} in Query`} onPress={() => openField(field.name, open)}>
                    <SquareArrowOutUpRight size={14} aria-hidden />
                  </IconButton>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {fields.length > maxShown && (
        <p className="screen-note">{numberText(fields.length - maxShown)} more. Search to narrow the list.</p>
      )}
    </>
  )
}

function openField(name: string, { kind, schema, connection }: NonNullable<Props['open']>): void {
  const skeleton = skeletonOf(schema, kind, name)
  if (skeleton === null) return
  openInTab({ ...skeleton, connection })
  closeOffers()
}
