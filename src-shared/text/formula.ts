/**
 * Characters that spreadsheets strip or hide at the start of a cell: white space, invisible characters (also those that
 * Unicode counts as letters, marks or symbols), and quotes of any kind.
 */
const ignorable = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}\p{M}\u2800\p{Pi}\p{Pf}"'„＂＇\u0060]`
/** Beginnings of a formula, and every character that Unicode's compatibility form (NFKC) turns into one. */
const operators = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁺⁼₊₌﬩⩵⩶]'
const formula = new RegExp(`^('*[\\t\\r\\n]|${ignorable}*${operators})`, 'u')

/**
 * True when a spreadsheet may take the text for a formula or for more than one cell. An apostrophe in front prevents
 * that; a text that begins with one counts as a formula too, so that one can be removed again.
 */
export function isFormula(text: string): boolean {
  return formula.test(text)
}
