import type { DatabaseSync } from 'node:sqlite'
import { convertTexts } from './stored-texts.ts'
import { groupIncidents } from './grouped-incidents.ts'
import { renamedTables, renamedThresholds } from './renamed.ts'

/**
 * Each step takes the journal from the version that is its index to the next one. Never change a step that was
 * released.
 */
export const steps: readonly (string | ((db: DatabaseSync) => void))[] = [
  `CREATE TABLE sequence (only INTEGER PRIMARY KEY CHECK (only = 1), value INTEGER NOT NULL);
   INSERT INTO sequence VALUES (1, 0);
   CREATE TABLE state (
     key TEXT PRIMARY KEY, connected INTEGER NOT NULL, at REAL NOT NULL, not_before REAL,
     since_at REAL, since_seen INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE transition (
     id INTEGER PRIMARY KEY, key TEXT NOT NULL, at REAL NOT NULL, not_before REAL, connected INTEGER NOT NULL
   );
   CREATE INDEX transition_of ON transition (key, id);`,
  // Saved views, and past and pending notifications. `fresh`: the last transition of each device that was not evaluated
  // yet.
  `CREATE TABLE view (id TEXT PRIMARY KEY, position INTEGER NOT NULL, is_default INTEGER NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
   CREATE UNIQUE INDEX view_default ON view (is_default) WHERE is_default = 1;
   CREATE TABLE fresh (key TEXT PRIMARY KEY, at REAL NOT NULL, not_before REAL, connected INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE dropped (key TEXT PRIMARY KEY, at REAL NOT NULL, not_before REAL, telling TEXT, back_at REAL) WITHOUT ROWID;
   CREATE TABLE telling (id TEXT PRIMARY KEY, at REAL NOT NULL, about TEXT NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE blind (tenant TEXT PRIMARY KEY, since REAL NOT NULL, telling TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE pause (only INTEGER PRIMARY KEY CHECK (only = 1), since REAL NOT NULL, until REAL NOT NULL);`,
  // Incidents with their rows, and the operator's policies. A drop names its incident; notifications from before
  // incidents exist are stored as such. `known_since`: how far back availability may be shown before the first
  // transition.
  `CREATE TABLE incident (
     id TEXT PRIMARY KEY, subject TEXT NOT NULL, kind TEXT NOT NULL, opened_at REAL NOT NULL, closed_at REAL,
     words TEXT NOT NULL, about TEXT NOT NULL, text TEXT NOT NULL
   );
   CREATE INDEX incident_closed ON incident (closed_at, opened_at);
   CREATE INDEX incident_of ON incident (subject, opened_at);
   CREATE TABLE member (
     incident TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, at REAL NOT NULL, not_before REAL, back_at REAL,
     PRIMARY KEY (incident, key)
   ) WITHOUT ROWID;
   CREATE INDEX member_of ON member (key);
   CREATE TABLE event (id INTEGER PRIMARY KEY, incident TEXT NOT NULL, at REAL NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL);
   CREATE UNIQUE INDEX event_once ON event (incident, at, what, detail);
   CREATE TABLE unseen (tenant TEXT NOT NULL, since REAL NOT NULL, until REAL, PRIMARY KEY (tenant, since)) WITHOUT ROWID;
   CREATE INDEX unseen_until ON unseen (until);
   CREATE TABLE policy (kind TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
   CREATE TABLE act (id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0);
   CREATE INDEX act_at ON act (at);
   CREATE TABLE held (only INTEGER PRIMARY KEY CHECK (only = 1), text TEXT NOT NULL);
   ALTER TABLE dropped RENAME COLUMN telling TO incident;
   ALTER TABLE dropped ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE dropped ADD COLUMN returned INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE dropped ADD COLUMN flapping INTEGER NOT NULL DEFAULT 0;
   UPDATE dropped SET told = 1 WHERE incident IS NOT NULL;
   CREATE INDEX transition_at ON transition (at);
   ALTER TABLE state ADD COLUMN known_since REAL NOT NULL DEFAULT 0;
   UPDATE state SET known_since = coalesce((SELECT coalesce(not_before, at) FROM transition WHERE key = state.key ORDER BY id LIMIT 1), at);`,
  // An unobserved recovery has a span as a drop has; for earlier ones it is taken from their transition.
  `ALTER TABLE member ADD COLUMN back_not_before REAL;
   ALTER TABLE dropped ADD COLUMN back_not_before REAL;
   UPDATE member SET back_not_before = (SELECT not_before FROM transition WHERE key = member.key AND at = member.back_at AND connected = 1 ORDER BY id DESC LIMIT 1) WHERE back_at IS NOT NULL;
   UPDATE dropped SET back_not_before = (SELECT not_before FROM transition WHERE key = dropped.key AND at = dropped.back_at AND connected = 1 ORDER BY id DESC LIMIT 1) WHERE back_at IS NOT NULL;`,
  // A device that the service no longer lists has not recovered.
  'ALTER TABLE member ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0;',
  // Tenants that a connection's list no longer names, while that is shown; and closed incidents with an unreported
  // recovery. Of earlier ones only those that a running pause suppresses; older ones are not notified any more.
  `CREATE TABLE withdrawn (connection TEXT NOT NULL, tenant TEXT NOT NULL, name TEXT NOT NULL, devices INTEGER NOT NULL, PRIMARY KEY (connection, tenant)) WITHOUT ROWID;
   ALTER TABLE incident ADD COLUMN untold INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX incident_untold ON incident (id) WHERE untold = 1;
   UPDATE incident SET untold = 1 WHERE closed_at >= (SELECT since FROM pause) AND json_valid(text) AND coalesce(json_extract(text, '$.unlisted.untold'), 0) > 0;`,
  renamedThresholds,
  renamedTables,
  convertTexts,
  groupIncidents,
  // Name and place of each device by interval; `position` counts up for each device, whatever the clock does.
  `CREATE TABLE device_place (
     key TEXT NOT NULL, position INTEGER NOT NULL, since REAL NOT NULL, until REAL, name TEXT NOT NULL,
     account_id TEXT, account_name TEXT, site_id TEXT, site_name TEXT, room_id TEXT, room_name TEXT,
     PRIMARY KEY (key, position)
   ) WITHOUT ROWID;
   CREATE INDEX device_place_until ON device_place (until) WHERE until IS NOT NULL;`,
  // Jobs and their devices. `number` counts up, in the order of creation, and is never used twice. `outcome`: its number
  // in `outcomesInOrder` (jobs/values.ts), so that the index has the order of a page.
  `CREATE TABLE job (
     number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, created_at REAL NOT NULL,
     ended_at REAL, undoes TEXT, tenants TEXT NOT NULL, text TEXT NOT NULL
   );
   CREATE INDEX job_open ON job (number) WHERE ended_at IS NULL;
   CREATE INDEX job_created ON job (created_at, number);
   CREATE INDEX job_ended ON job (ended_at, number) WHERE ended_at IS NOT NULL;
   CREATE INDEX job_undoes ON job (undoes) WHERE undoes IS NOT NULL;
   CREATE TABLE job_device (
     job INTEGER NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, outcome INTEGER NOT NULL,
     has_before INTEGER NOT NULL, search_text TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (job, position)
   ) WITHOUT ROWID;
   CREATE UNIQUE INDEX job_device_key ON job_device (key, job);
   CREATE INDEX job_device_outcome ON job_device (job, outcome, position);`,
  // The reboot that explains a drop, and the transitions of reboots, which do not count as flapping.
  `ALTER TABLE dropped ADD COLUMN expected TEXT;
   ALTER TABLE dropped ADD COLUMN pending_recovery TEXT;
   CREATE TABLE expected_transition (key TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (key, at)) WITHOUT ROWID;
   CREATE INDEX expected_transition_at ON expected_transition (at);`,
  // The last whole schema of each connection's service, and the differences that were found over time.
  `CREATE TABLE schema_last (connection TEXT PRIMARY KEY, since REAL NOT NULL, read_at REAL NOT NULL, form BLOB NOT NULL) WITHOUT ROWID;
   CREATE TABLE schema_entry (id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, at REAL NOT NULL, text TEXT NOT NULL);
   CREATE INDEX schema_entry_of ON schema_entry (connection, id);`,
  // What the query screen keeps: tabs, saved operations, and past runs. `number` counts up, in the order of the runs.
  `CREATE TABLE query_tab (id TEXT PRIMARY KEY NOT NULL, position INTEGER NOT NULL, is_active INTEGER NOT NULL, text TEXT NOT NULL);
   CREATE TABLE saved_operation (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL);
   CREATE TABLE query_run (
     number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, connection TEXT NOT NULL, at REAL NOT NULL,
     about TEXT NOT NULL, text TEXT, outcome TEXT
   );
   CREATE INDEX query_run_at ON query_run (at);
   CREATE INDEX query_run_connection ON query_run (connection);`,
  // What each device was at the beginning of each day, two bits by its position, which is never used twice.
  `CREATE TABLE day_device (position INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE);
   CREATE TABLE day_state (day INTEGER PRIMARY KEY, states BLOB NOT NULL);`,
  // Notes and tags of devices and places, by their node (inventory/engine/notes.ts).
  'CREATE TABLE note (node TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;',
  // Comparisons that the operator keeps, with the text of their asset list, compressed.
  'CREATE TABLE comparison (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL, list BLOB);',
  // How many devices of each model had which firmware on each day (UTC).
  `CREATE TABLE firmware_day (
     model TEXT NOT NULL, day INTEGER NOT NULL, version TEXT NOT NULL, devices INTEGER NOT NULL, PRIMARY KEY (model, day, version)
   ) WITHOUT ROWID;
   CREATE INDEX firmware_day_day ON firmware_day (day);`,
  // The firmware that each device was last seen with, and its changes.
  `CREATE TABLE firmware_seen (key TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL, since REAL NOT NULL) WITHOUT ROWID;
   CREATE TABLE firmware_change (
     id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, at REAL NOT NULL, before TEXT NOT NULL, version TEXT NOT NULL
   );
   CREATE INDEX firmware_change_at ON firmware_change (at);
   CREATE INDEX firmware_change_key ON firmware_change (key);`,
  // Messages to channels, and what became of them. `number` counts up, in their order.
  `CREATE TABLE delivery (
     number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, channel TEXT NOT NULL, alert TEXT NOT NULL, at REAL NOT NULL,
     state TEXT NOT NULL, settled_at REAL, about TEXT NOT NULL, text TEXT NOT NULL
   );
   CREATE INDEX delivery_at ON delivery (at);
   CREATE INDEX delivery_state ON delivery (state, number);
   CREATE INDEX delivery_channel ON delivery (channel, state, settled_at);
   CREATE INDEX delivery_alert ON delivery (channel, alert, number);
   CREATE TABLE delivery_incident (incident TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (incident, number)) WITHOUT ROWID;
   CREATE INDEX delivery_incident_number ON delivery_incident (number);
   CREATE TRIGGER delivery_gone AFTER DELETE ON delivery BEGIN
     DELETE FROM delivery_incident WHERE number = OLD.number;
   END;`,
  // The last row of the team's log that the journal contains.
  'CREATE TABLE log_position (only INTEGER PRIMARY KEY CHECK (only = 1), number REAL NOT NULL, id TEXT NOT NULL);',
  // A team's connections without secrets, settings that it has in common, and its shift handovers.
  `CREATE TABLE shared_connection (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE shared_setting (name TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE shift_handover (id TEXT PRIMARY KEY NOT NULL, at REAL NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
   CREATE INDEX shift_handover_at ON shift_handover (at);`,
  // What this member did while the team's log could not be written, in its order.
  `CREATE TABLE pending_act (
     number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, call TEXT NOT NULL, text TEXT NOT NULL
   );`,
  // A team's channels, without secrets.
  'CREATE TABLE shared_channel (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;',
  // The names of a team's operators, each with the login that used it first.
  'CREATE TABLE member_name (name TEXT PRIMARY KEY NOT NULL, role TEXT NOT NULL) WITHOUT ROWID;',
  // What an act that waits for the team found: it is put back before what others did is carried out.
  // What waits already has nothing to put back: the member takes over the team's newest snapshot.
  `ALTER TABLE pending_act ADD COLUMN found TEXT;
   DELETE FROM log_position WHERE EXISTS (SELECT 1 FROM pending_act);`,
  // The last row of the team's log that erased something, and the connections that the team has removed.
  `CREATE TABLE erasure (only INTEGER PRIMARY KEY CHECK (only = 1), number REAL NOT NULL);
   CREATE TABLE removed_connection (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;`,
]
