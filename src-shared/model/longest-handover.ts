/** No handover is of more, ms. */
export const longestHandoverMs = 31 * 24 * 3_600_000
