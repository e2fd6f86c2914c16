/** The most that an import may be, in characters as a string counts them; a file of more is imported in parts. */
export const importLimit = 20_000_000

/**
 * The most that a call may be as JSON on the web shell's pipe, in bytes of UTF-8. An import fits in any script (three
 * bytes a character), and so do the keys of the longest selection. The window says so before it sends more.
 */
export const callLimit = 64 * 1024 * 1024
