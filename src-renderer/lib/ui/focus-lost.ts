/** Whether the focus is nowhere: what had it is gone, or nothing was given it. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body
