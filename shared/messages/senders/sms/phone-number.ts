/**
 * A phone number in international form (E.164), `+` and 8 to 15 digits: without spaces, dots, dashes and parentheses, and
 * with `+` in place of a leading `00`. Undefined for anything else, also for a national number.
 */
export function phoneNumber(text: string): string | undefined {
  const compact = text.replace(/[\s().\-/\u2010-\u2015]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{7,14}$/.test(compact) ? compact : undefined
}
