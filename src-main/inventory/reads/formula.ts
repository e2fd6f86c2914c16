/**
 * What one or another spreadsheet strips or does not show before it looks at a cell: white space, characters without a shape
 * (also those that Unicode counts as letters, marks or symbols), and quotes of any kind.
 */
const ignorable = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}\p{M}\u2800\p{Pi}\p{Pf}"'„＂＇\u0060]`
/** Beginnings of a formula, also where a full-width or small sign counts as one. */
const operators = '[=+\\-@＝＋－＠﹦﹢﹣﹫]'
const formula = new RegExp(`^('*[\\t\\r\\n]|${ignorable}*${operators})`, 'u')

/** Whether a spreadsheet may take this text for a formula, or for more than one cell. An apostrophe before it makes it text; what begins with one before such a text is such a text itself, so that one can be taken away again. */
export function isFormula(text: string): boolean {
  return formula.test(text)
}
