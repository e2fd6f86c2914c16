import { defaultFieldResolver, GraphQLInputObjectType, GraphQLSchema } from 'graphql'
import type { GraphQLObjectType } from 'graphql'
import type { Permission, Role } from '../../../access/roles.ts'
import type { GraphContext } from '../../../graphql/context.ts'
import type { Answers } from '../answers.ts'

/** The names of mutations that no client can know. */
const otherNames: Record<string, string> = {
  rebootDevice: 'restartDevice',
  rebootDevicesBySiteId: 'restartSite',
  updateDevice: 'editDevice',
  upsertRoom: 'saveRoom',
  upsertSite: 'saveSite',
}
const reboots = ['rebootDevice', 'rebootDevicesBySiteId']

/** Gives the mutations other names, inputs and answers, or removes them. Changes `schema`, and returns the new one. */
export function otherMutations(schema: GraphQLSchema, { mutations, actionAnswers }: Readonly<Answers>): GraphQLSchema {
  const type = schema.getMutationType()
  if (!type) return schema
  if (actionAnswers !== 'plain') for (const name of reboots) withAnswers(type, name, actionAnswers)
  if (mutations === 'room-uuid') withRoomUuid(schema, type)
  if (mutations === 'other-names') for (const [name, other] of Object.entries(otherNames)) rename(type, name, other)
  return mutations === 'none' ? new GraphQLSchema({ ...schema.toConfig(), mutation: null }) : schema
}

function rename(type: GraphQLObjectType, name: string, other: string): void {
  const fields = type.getFields()
  const field = fields[name]
  if (!field) return
  field.name = other
  fields[other] = field
  delete fields[name]
}

/** Tells the outcome of an action without the reason of a refusal, or not at all. */
function withAnswers(type: GraphQLObjectType, name: string, form: 'no-words' | 'null'): void {
  const field = type.getFields()[name]
  if (!field) return
  const { resolve = defaultFieldResolver } = field
  field.resolve = async (source, args, context: GraphContext, info) => {
    const result: unknown = await resolve(source, args, context, info)
    return form === 'null' || typeof result !== 'object' ? null : { ...result, error: null }
  }
}

/** Gives the input of `updateDevice` its form of 2020 (twin section 10): the name and `roomUUID`, and no site. */
function withRoomUuid(schema: GraphQLSchema, type: GraphQLObjectType): void {
  const input = schema.getType('UpdateDeviceRequest')
  const field = type.getFields()['updateDevice']
  if (!(input instanceof GraphQLInputObjectType) || !field) return
  const members = input.getFields()
  if (members['roomId']) members['roomUUID'] = Object.assign(members['roomId'], { name: 'roomUUID' })
  for (const name of ['roomId', 'siteId', 'displayName']) delete members[name]
  const { resolve = defaultFieldResolver } = field
  field.resolve = (source, { id, fields }, context: GraphContext, info) => {
    const { roomUUID: roomId, ...others } = fields
    return resolve(source, { id, fields: { ...others, ...(roomId === undefined ? {} : { roomId }) } }, context, info)
  }
}

/** Returns whether a role may write, where mutations need another role than usual. */
export function mayWrite({ mutationRole }: Readonly<Answers>, role: Role, permission: Permission): boolean {
  if (mutationRole === 'usual' || !permission.match(/:(control|write)$/)) return true
  return mutationRole === 'admin' && role === 'admin'
}
