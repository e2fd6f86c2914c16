/**
 * The SQL that an administrator runs for a team, in this order, as a superuser; for the documentation. The names of the
 * roles and of the database are the administrator's choice, that of the schema is not. Passwords are set apart, by
 * `\password` of psql, so that they are in no log.
 */

/**
 * The two roles. With `muster_owner` the first member signs in, who makes the tables, and the first one after an update
 * of Muster. `muster_member` has all that a member needs, and nobody signs in with it.
 */
export const rolesSql = `CREATE ROLE muster_owner LOGIN;
CREATE ROLE muster_member NOLOGIN;
`

/** The schema, in the team's database. Members see its tables and change their own rows. */
export const schemaSql = `CREATE SCHEMA muster AUTHORIZATION muster_owner;
GRANT USAGE ON SCHEMA muster TO muster_member;
`

/**
 * A role for each operator. The database protects a member's row from other roles, not from a member with the same
 * role.
 */
export const operatorSql = `CREATE ROLE anna LOGIN IN ROLE muster_member;
`

/** For a database that has nothing but the team in it: nobody else may connect. */
export const closedSql = `REVOKE CONNECT, TEMPORARY ON DATABASE muster FROM PUBLIC;
GRANT CONNECT ON DATABASE muster TO muster_owner, muster_member;
`
