/** Returns whether a message rejects a document for its depth. */
export const mentionsDepth = (words: string): boolean =>
  /\b(depth|nesting|nested) (limit|of|is|exceed)|(max|maximum|exceeds?|limit|allowed)\b[^.]{0,40}\b(depth|nesting)\b|too deep|too deeply|nested too/i.test(
    words,
  )
