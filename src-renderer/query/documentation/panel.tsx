import type { GraphQLSchema } from 'graphql'
import { ArrowLeft, ArrowRight, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { numberText } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { closeDocumentation, documentation, go, openDocumentation, placeIn, type Place } from './documentation.ts'
import { searchSchema, typesOf } from './search-schema.ts'
import { TypePage } from './type-page.tsx'

/** Most entries of one list. */
const most = 200

interface Props {
  schema: GraphQLSchema
  /** False: the service tells no schema, and this is what its specification documents. */
  isOwn: boolean
  /** Called when the panel is closed, for the focus. */
  onClose: () => void
}

/** The documentation of a schema: its types and fields, searched by name, page by page. */
export function DocumentationPanel({ schema, isOwn, onClose }: Props) {
  const shown = useStore(documentation)
  const [text, setText] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (shown.focus > 0) heading.current?.focus()
  }, [shown.focus])
  const place = placeIn(shown)
  const type = place.type === null ? null : (schema.getType(place.type) ?? null)
  const show = (to: Place) => {
    setText('')
    openDocumentation(to, true)
  }
  const close = () => {
    closeDocumentation()
    onClose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it, wherever the focus is in it
    <section className="query-docs" aria-label="Documentation" onKeyDown={({ key }) => key === 'Escape' && close()}>
      <div className="query-docs-head">
        <IconButton label="Back" onPress={() => go(-1)} disabled={shown.at === 0}>
          <ArrowLeft size={14} aria-hidden />
        </IconButton>
        <IconButton label="Forward" onPress={() => go(1)} disabled={shown.at === shown.places.length - 1}>
          <ArrowRight size={14} aria-hidden />
        </IconButton>
        <input
          className="input"
          type="search"
          aria-label="Find types and fields"
          placeholder="Find types and fields"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <IconButton label="Close documentation" onPress={close}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <div className="query-docs-page">
        <h2 ref={heading} tabIndex={-1}>
          <Isolated>{text.trim() === '' ? (place.type ?? 'Schema') : 'Found'}</Isolated>
        </h2>
        {!isOwn && <p className="muted-text">The service tells no schema: this is what its specification documents.</p>}
        {text.trim() !== '' ? (
          <FoundList schema={schema} text={text} onShow={show} />
        ) : type !== null ? (
          <TypePage schema={schema} type={type} member={place.member} most={most} onShow={show} />
        ) : place.type === null ? (
          <Start schema={schema} onShow={show} />
        ) : (
          <p className="muted-text">This schema has no such type.</p>
        )}
      </div>
    </section>
  )
}

function FoundList({ schema, text, onShow }: { schema: GraphQLSchema; text: string; onShow: (place: Place) => void }) {
  const { found, total } = useMemo(() => searchSchema(schema, text, most), [schema, text])
  return (
    <>
      <p role="status" className="muted-text">
        {total === 0
          ? 'Nothing has this name.'
          : `${numberText(total)} found${total > most ? `, the first ${most}` : ''}.`}
      </p>
      <ul className="query-docs-list">
        {found.map(({ name, place, deprecated }) => (
          <li key={name}>
            <Button className="query-docs-link" onPress={() => onShow(place)}>
              <Isolated>{name}</Isolated>
            </Button>
            {deprecated && <span className="query-warning"> deprecated</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

function Start({ schema, onShow }: { schema: GraphQLSchema; onShow: (place: Place) => void }) {
  const roots = [
    { word: 'query', type: schema.getQueryType() },
    { word: 'mutation', type: schema.getMutationType() },
    { word: 'subscription', type: schema.getSubscriptionType() },
  ]
  const types = useMemo(() => typesOf(schema), [schema])
  return (
    <>
      <dl className="query-docs-roots">
        {roots.map(({ word, type }) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{type ? <TypeName name={type.name} onShow={onShow} /> : <span className="muted-text">none</span>}</dd>
          </div>
        ))}
      </dl>
      <h3>All types: {numberText(types.length)}</h3>
      <ul className="query-docs-list">
        {types.slice(0, most).map(({ name }) => (
          <li key={name}>
            <TypeName name={name} onShow={onShow} />
          </li>
        ))}
      </ul>
      {types.length > most && <p className="muted-text">Find the other {numberText(types.length - most)} by name.</p>}
    </>
  )
}

const TypeName = ({ name, onShow }: { name: string; onShow: (place: Place) => void }) => (
  <Button className="query-docs-link" onPress={() => onShow({ type: name, member: null })}>
    <Isolated>{name}</Isolated>
  </Button>
)
