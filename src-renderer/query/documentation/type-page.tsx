import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql'
import { useEffect, useRef, type ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { numberText } from '../../lib/format/numbers.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { argumentText, kindOf } from './description.ts'
import type { Place } from './documentation.ts'
import { membersOf } from './search-schema.ts'

interface Props {
  schema: GraphQLSchema
  type: GraphQLNamedType
  /** The member that is looked for. */
  member: string | null
  /** Most members that are listed; the one that is looked for always is. */
  most: number
  onShow: (place: Place) => void
}

type Show = Pick<Props, 'onShow'>

/** What the schema says of one type. */
export function TypePage({ schema, type, member, most, onShow }: Props) {
  const all = membersOf(type)
  const listed = all.filter(({ name }, index) => index < most || name === member)
  const kin = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? type.getInterfaces() : []
  return (
    <>
      <p className="muted-text">{kindOf(type)}</p>
      <Text text={type.description} />
      {kin.length > 0 && (
        <p>
          {isAbstractType(type) ? 'Is one of ' : 'Implements '}
          {kin.slice(0, most).map((each, index) => (
            <span key={each.name}>
              {index > 0 && ', '}
              <TypeLink type={each} onShow={onShow} />
            </span>
          ))}
        </p>
      )}
      {all.length > 0 && <h3>{isEnumType(type) ? 'Values' : isInputObjectType(type) ? 'Input fields' : 'Fields'}</h3>}
      <ul className="query-docs-members">
        {listed.map(({ name }) => (
          <Member key={name} isWanted={name === member}>
            <MemberLines type={type} name={name} onShow={onShow} />
          </Member>
        ))}
      </ul>
      {all.length > listed.length && (
        <p className="muted-text">Find the other {numberText(all.length - listed.length)} by name.</p>
      )}
    </>
  )
}

function Member({ isWanted, children }: { isWanted: boolean; children: ReactNode }) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isWanted) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isWanted])
  return (
    <li ref={item} {...(isWanted && { 'aria-current': true })}>
      {children}
    </li>
  )
}

function MemberLines({ type, name, onShow }: { type: GraphQLNamedType; name: string } & Show) {
  if (isEnumType(type)) {
    const value = type.getValue(name)
    return value && <Lines name={name} text={value.description} deprecated={value.deprecationReason} />
  }
  if (isInputObjectType(type)) return <InputLines field={type.getFields()[name]} onShow={onShow} />
  if (isObjectType(type) || isInterfaceType(type)) return <FieldLines field={type.getFields()[name]} onShow={onShow} />
  return null
}

function FieldLines({ field, onShow }: { field: GraphQLField<unknown, unknown> | undefined } & Show) {
  if (field === undefined) return null
  return (
    <Lines
      name={field.name}
      value={<TypeLink type={field.type} onShow={onShow} />}
      text={field.description}
      deprecated={field.deprecationReason}
    >
      {field.args.length > 0 && (
        <ul className="query-docs-arguments" aria-label={`Arguments of ${field.name}`}>
          {field.args.map((argument) => (
            <li key={argument.name}>
              <Argument argument={argument} onShow={onShow} />
            </li>
          ))}
        </ul>
      )}
    </Lines>
  )
}

function InputLines({ field, onShow }: { field: GraphQLInputField | undefined } & Show) {
  if (field === undefined) return null
  const { name, type, description, deprecationReason } = field
  const value = <TypeLink type={type} onShow={onShow} />
  return <Lines name={name} value={value} text={description} deprecated={deprecationReason} />
}

function Argument({ argument, onShow }: { argument: GraphQLArgument } & Show) {
  const { name, type, description, deprecationReason } = argument
  const written = argumentText(argument)
  const preset = written.slice(`${name}: ${String(type)}`.length)
  const value = (
    <>
      <TypeLink type={type} onShow={onShow} />
      {preset !== '' && <Isolated>{preset}</Isolated>}
    </>
  )
  return <Lines name={name} value={value} text={description} deprecated={deprecationReason} />
}

interface LinesProps {
  name: string
  value?: ReactNode
  text: string | null | undefined
  deprecated: string | null | undefined
  children?: ReactNode
}

function Lines({ name, value, text, deprecated, children }: LinesProps) {
  return (
    <>
      <code>
        <Isolated>{name}</Isolated>
        {value !== undefined && <>: {value}</>}
      </code>
      {typeof deprecated === 'string' && (
        <p className="query-warning">
          Deprecated: <Isolated>{deprecated}</Isolated>
        </p>
      )}
      <Text text={text} />
      {children}
    </>
  )
}

const Text = ({ text }: { text: string | null | undefined }) =>
  typeof text === 'string' &&
  text !== '' && (
    <p className="query-docs-text">
      <Isolated>{text}</Isolated>
    </p>
  )

/** A type as written ("[ID!]!"), which leads to its page. */
function TypeLink({ type, onShow }: { type: GraphQLType } & Show) {
  return (
    <Button className="query-docs-link" onPress={() => onShow({ type: getNamedType(type).name, member: null })}>
      <Isolated>{String(type)}</Isolated>
    </Button>
  )
}
