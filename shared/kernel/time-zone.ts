/** Whether this is the name of an existing time zone, such as `Europe/Vienna`. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
