/** Returns whether a text is a picture that a report may hold: a data address of PNG or JPEG. */
export const isPicture = (logo: string): boolean => /^data:image\/(?:png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/u.test(logo)

/** Returns whether `Intl` knows a locale (BCP 47). */
export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
