type Names = readonly (readonly [before: string, after: string])[]

/**
 * Returns SQL that renames keys of JSON. In JSON a quotation mark within a text is escaped, so a key with its colon
 * occurs in no text that a person wrote.
 */
const replaced = (column: string, names: Names): string =>
  names.reduce((sql, [before, after]) => `replace(${sql}, '${before}', '${after}')`, column)
const keys = (names: Names): Names => names.map(([before, after]) => [`"${before}":`, `"${after}":`])

const thresholds = replaced(
  'text',
  keys([
    ['gatherSeconds', 'groupingSeconds'],
    ['foldLeast', 'siteDownDevices'],
    ['foldPercent', 'siteDownPercent'],
  ]),
)

/** The step that renames the keys of stored thresholds, and of the actions that changed them. */
export const renamedThresholds = `UPDATE policy SET text = ${thresholds} WHERE kind = 'rules'; UPDATE act SET text = ${thresholds} WHERE kind = 'policies';`

const incident = replaced('text', [
  ...keys([
    ['why', 'origin'],
    ['lastBack', 'lastRecovery'],
    ['also', 'othersDown'],
    ['most', 'peakInPlace'],
    ['again', 'renotify'],
    ['quiet', 'maintenance'],
    ['keptIn', 'suppressedBy'],
    ['through', 'overrode'],
    ['parted', 'splitFrom'],
    ['mute', 'muted'],
    ['marked', 'watched'],
    ['toldAt', 'notifiedAt'],
    ['backToldAt', 'recoveryNotifiedAt'],
    ['telling', 'reason'],
    ['backs', 'recovered'],
    ['unsaid', 'unreportedRecoveries'],
    ['untold', 'unreported'],
    ['words', 'message'],
    ['figures', 'thresholds'],
    ['least', 'minDevices'],
    ['share', 'minShare'],
    ['flaps', 'flapTransitions'],
    ['flapMs', 'flapPeriodMs'],
    ['laidFor', 'thresholdsPlace'],
    ['shown', 'delivered'],
  ]),
  ['"as":"again"', '"as":"reminder"'],
  ['"as":"away"', '"as":"absence"'],
  ['"as":"sighted"', '"as":"monitoring-restored"'],
  ['"as":"report"', '"as":"maintenance"'],
])
const notification = replaced('text', [
  ['"open":true', '"isGrowing":true'],
  ['"open":false', '"isGrowing":false'],
  ['"lead":"blind"', '"lead":"monitoring-lost"'],
  ['"lead":"sighted"', '"lead":"monitoring-restored"'],
  ['"lead":"away"', '"lead":"absence"'],
  ['"kind":"blind"', '"kind":"monitoring-lost"'],
  ['"kind":"sighted"', '"kind":"monitoring-restored"'],
  ...keys([
    ['told', 'content'],
    ['of', 'incidentIds'],
    ['lead', 'digestKind'],
  ]),
])
const maintenance = replaced(
  'text',
  keys([
    ['overAt', 'endedAt'],
    ['hidden', 'unseenDrops'],
    ['sureAt', 'settledAt'],
    ['words', 'message'],
  ]),
)
const policies = replaced('text', [
  ['"kind":"quiet"', '"kind":"maintenance"'],
  ['"kind":"rules"', '"kind":"thresholds"'],
  ['"rules":{', '"thresholds":{'],
])

/** The step that renames tables, columns and stored values. */
export const renamedTables = `ALTER TABLE fresh RENAME TO outbox;
   ALTER TABLE telling RENAME TO notification;
   UPDATE notification SET text = ${notification};
   ALTER TABLE blind RENAME TO monitoring_loss;
   ALTER TABLE monitoring_loss RENAME COLUMN telling TO notification;
   ALTER TABLE held RENAME TO maintenance;
   UPDATE maintenance SET text = ${maintenance};
   ALTER TABLE act RENAME TO action;
   DROP INDEX act_at;
   CREATE INDEX action_at ON action (at);
   UPDATE action SET kind = 'incidents' WHERE kind = 'marks';
   UPDATE action SET text = ${policies} WHERE kind = 'policies';
   UPDATE policy SET kind = 'maintenance' WHERE kind = 'quiet';
   UPDATE policy SET kind = 'thresholds', text = ${policies} WHERE kind = 'rules';
   ALTER TABLE dropped RENAME COLUMN told TO notified;
   ALTER TABLE dropped RENAME COLUMN back_at TO recovered_at;
   ALTER TABLE dropped RENAME COLUMN back_not_before TO recovered_not_before;
   ALTER TABLE dropped RENAME COLUMN returned TO recovery_confirmed;
   ALTER TABLE member RENAME COLUMN back_at TO recovered_at;
   ALTER TABLE member RENAME COLUMN back_not_before TO recovered_not_before;
   DROP INDEX incident_untold;
   ALTER TABLE incident RENAME COLUMN untold TO unreported;
   CREATE INDEX incident_unreported ON incident (id) WHERE unreported = 1;
   ALTER TABLE incident RENAME COLUMN words TO search_text;
   UPDATE incident SET text = ${incident};
   UPDATE event SET what = CASE what WHEN 'quiet' THEN 'maintenance' WHEN 'told' THEN 'notified' WHEN 'back' THEN 'recovered' ELSE 'unacknowledged' END
     WHERE what IN ('quiet', 'told', 'back', 'released');`
