import { nearestWord } from '../text/did-you-mean.ts'

/** Whether this is the name of an existing time zone, such as `Europe/Vienna`. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The time zone that is most like a mistyped name, or like the name of a city; undefined when none is like it. */
export function nearestTimeZone(name: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone')
  const city = nearestWord(name.trim().replaceAll(' ', '_'), zones.map(cityOf))
  return nearestWord(name, zones) ?? zones.find((zone) => cityOf(zone) === city)
}

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1)
