/** The keys of thresholds before and after November 2026. */
const names: readonly (readonly [before: string, after: string])[] = [
  ['gatherSeconds', 'groupingSeconds'],
  ['foldLeast', 'siteDownDevices'],
  ['foldPercent', 'siteDownPercent'],
]

/** In JSON a quotation mark inside of a text has a backslash before it: a key with its colon stands in no text that a person wrote. */
const text = names.reduce((before, [name, now]) => `replace(${before}, '"${name}":', '"${now}":')`, 'text')

/** The step that gives stored thresholds, and the actions that changed them, the keys of today. */
export const renamed = `UPDATE policy SET text = ${text} WHERE kind = 'rules'; UPDATE act SET text = ${text} WHERE kind = 'policies';`
