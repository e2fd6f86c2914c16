import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { closedSql, operatorSql, rolesSql, schemaSql } from '../../src-main/team/database/rights.ts'
import * as postgres from './postgres.mjs'

/** The role of each operator. The first member makes the tables, so she signs in as their owner. */
export const roles = { ann: 'muster_owner', ben: 'ben', cleo: 'cleo' }

/**
 * Starts PostgreSQL in a folder with the team's database, as src-main/team/database/rights.ts has an administrator make
 * it. Nobody signs in as its superuser.
 * @returns the roles' passwords and addresses by operator, and what stops it
 */
export async function startDatabase(native, base) {
  const folder = path.join(base, 'postgres')
  mkdirSync(folder, { mode: 0o700 })
  const options = postgres.runOptions(native, folder)
  await postgres.createCluster(native, folder, ['--auth=reject'], options)
  const passwords = Object.fromEntries(
    Object.keys(roles).map((operator) => [operator, randomBytes(24).toString('base64url')]),
  )
  await postgres.runAlone(native, folder, 'postgres', rolesText(passwords), options)
  await postgres.runAlone(native, folder, 'muster', schemaSql, options)
  const rules = postgres.writeOwned(folder, 'pg_hba.conf', 'host muster all 127.0.0.1/32 scram-sha-256\n')
  const port = await postgres.freePort()
  const settings = { ...postgres.usualSettings, port: String(port), hba_file: rules }
  const server = postgres.spawnServer(native, folder, settings, options)
  const stop = postgres.endOf(server)
  await postgres.logOfReady(server).catch(async (error) => {
    await stop()
    throw error
  })
  const members = Object.fromEntries(
    Object.entries(roles).map(([operator, role]) => [
      operator,
      { address: `postgresql://${role}@127.0.0.1:${port}/muster`, password: passwords[operator] },
    ]),
  )
  return { members, stop }
}

function rolesText(passwords) {
  const operators = Object.values(roles).filter((role) => role !== 'muster_owner')
  return [
    rolesSql,
    ...operators.map((role) => operatorSql.replace('anna', role)),
    ...Object.entries(roles).map(([operator, role]) => `ALTER ROLE ${role} PASSWORD '${passwords[operator]}';\n`),
    'CREATE DATABASE muster;\n',
    closedSql,
  ].join('')
}
